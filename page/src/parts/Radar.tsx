// A bot's style as a radar chart: one axis per figure, from 0 in the middle to 1 at the rim.

import type { RadarFigure } from "../wire.ts";

const R = 40;

export function Radar({ figures, name }: { figures: readonly RadarFigure[]; name: string }) {
  if (figures.length < 3) return null;
  const spoke = (at: number, share: number): [number, number] => {
    const angle = -Math.PI / 2 + (2 * Math.PI * at) / figures.length;
    return [70 + R * share * Math.cos(angle), 58 + R * share * Math.sin(angle)];
  };
  const ring = (share: number) =>
    figures
      .map((_, at) =>
        spoke(at, share)
          .map((each) => each.toFixed(1))
          .join(","),
      )
      .join(" ");
  const shape = figures
    .map((figure, at) =>
      spoke(at, Math.max(0.04, figure.value))
        .map((each) => each.toFixed(1))
        .join(","),
    )
    .join(" ");
  const words = figures.map((figure) => `${figure.name} ${Math.round(figure.value * 100)}%`).join(", ");
  return (
    <svg class="radar" viewBox="-54 4 248 108" role="img" aria-label={`style of ${name}: ${words}`}>
      {[1 / 3, 2 / 3, 1].map((share) => (
        <polygon key={share} class="radar-ring" points={ring(share)} />
      ))}
      <polygon class="radar-shape" points={shape} />
      {figures.map((figure, at) => {
        const [x, y] = spoke(at, 1.2);
        const anchor = Math.abs(x - 70) < 6 ? "middle" : x > 70 ? "start" : "end";
        return (
          <text key={figure.name} class="radar-name" x={x} y={y} text-anchor={anchor} dominant-baseline="central">
            {figure.name}
          </text>
        );
      })}
    </svg>
  );
}
