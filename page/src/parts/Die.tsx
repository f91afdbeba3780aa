// Dice and cups. The ace, which is wild, has a star instead of a pip.

import { faceName } from "../logic/dice.ts";

const PIPS: Readonly<Record<number, readonly (readonly [number, number])[]>> = {
  2: [
    [14, 14],
    [34, 34],
  ],
  3: [
    [13, 13],
    [24, 24],
    [35, 35],
  ],
  4: [
    [14, 14],
    [34, 14],
    [14, 34],
    [34, 34],
  ],
  5: [
    [13, 13],
    [35, 13],
    [24, 24],
    [13, 35],
    [35, 35],
  ],
  6: [
    [14, 12],
    [34, 12],
    [14, 24],
    [34, 24],
    [14, 36],
    [34, 36],
  ],
};
const STAR = "M24 9 27.8 19.6 39 19.9 30.1 26.8 33.3 37.6 24 31.2 14.7 37.6 17.9 26.8 9 19.9 20.2 19.6Z";

export function Die({ face, counts = false, dim = false }: { face: number; counts?: boolean; dim?: boolean }) {
  const kind = `die${counts ? " die-counts" : ""}${dim ? " die-dim" : ""}`;
  return (
    <svg class={kind} viewBox="0 0 48 48" role="img" aria-label={`${faceName(face)}${counts ? ", counts" : ""}`}>
      <rect class="die-body" x="1" y="1" width="46" height="46" rx="10" />
      {face === 1 ? (
        <path class="die-star" d={STAR} />
      ) : (
        (PIPS[face] ?? []).map(([x, y]) => <circle key={`${x} ${y}`} class="die-pip" cx={x} cy={y} r="4.6" />)
      )}
    </svg>
  );
}

/** A cup with hidden dice. */
export function Cup({ dice }: { dice: number }) {
  return (
    <span class="cup" role="img" aria-label={`a cup over ${dice} ${dice === 1 ? "die" : "dice"}`}>
      <svg class="cup-shape" viewBox="0 0 60 52" aria-hidden="true">
        <path class="cup-body" d="M14 6C14 3 46 3 46 6L54 42C54 48 6 48 6 42Z" />
        <path class="cup-band" d="M11.5 20C24 24 36 24 48.5 20L49.8 26C37 30 23 30 10.2 26Z" />
        <ellipse class="cup-top" cx="30" cy="6" rx="16" ry="3.4" />
      </svg>
      <span class="cup-count" aria-hidden="true">
        {dice}
      </span>
    </span>
  );
}
