// The result of a session as a chart, by uPlot, which is loaded only when needed.

import { useEffect, useRef } from "preact/hooks";

export function Curve({ totals, unit, from }: { totals: readonly number[]; unit: string; from: number }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let gone = false;
    let remove = () => {};
    void Promise.all([import("uplot"), import("uplot/dist/uPlot.min.css")]).then(([{ default: UPlot }]) => {
      const place = box.current;
      if (!place || gone) return;
      const colour = (name: string) => getComputedStyle(place).getPropertyValue(name).trim();
      const axis = {
        stroke: colour("--muted"),
        grid: { stroke: colour("--line"), width: 1 },
        ticks: { show: false },
        font: "12px 'Inter Variable', sans-serif",
      };
      const size = () => ({ width: place.clientWidth, height: Math.min(280, Math.max(180, place.clientWidth * 0.32)) });
      const plot = new UPlot(
        {
          ...size(),
          legend: { show: false },
          cursor: { y: false },
          scales: { x: { time: false } },
          axes: [
            { ...axis, size: 34, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000] },
            { ...axis, size: 56 },
          ],
          series: [
            {},
            {
              label: unit,
              stroke: colour("--brass"),
              width: 2,
              fill: "rgba(216, 180, 106, 0.10)",
              points: { show: totals.length < 40, size: 5, fill: colour("--brass") },
            },
          ],
        },
        [totals.map((_, at) => from + at), [...totals]],
        place,
      );
      const watch = new ResizeObserver(() => plot.setSize(size()));
      watch.observe(place);
      remove = () => {
        watch.disconnect();
        plot.destroy();
      };
    });
    return () => {
      gone = true;
      remove();
    };
  }, [totals, unit, from]);
  return (
    <div
      class="curve"
      ref={box}
      role="img"
      aria-label={`result over ${totals.length - 1} hands: ${totals[totals.length - 1] ?? 0} ${unit}`}
    />
  );
}
