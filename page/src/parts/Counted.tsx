// A stack of chips in figures; counts up to a new amount when paid, unless motion is reduced.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { grouped } from "../logic/sizing.ts";

const LASTS = 800; // milliseconds

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export function Counted({ chips, up }: { chips: number; up: boolean }) {
  const before = useRef(chips);
  const [passing, setPassing] = useState<number>(); // while it counts
  useLayoutEffect(() => {
    const from = before.current;
    before.current = chips;
    if (!up || chips <= from || calm()) return undefined;
    const began = performance.now();
    const tick = () => {
      const share = Math.min(1, (performance.now() - began) / LASTS);
      setPassing(share < 1 ? Math.round(from + (chips - from) * share) : undefined);
      if (share < 1) frame = requestAnimationFrame(tick);
    };
    let frame = 0;
    tick();
    return () => {
      cancelAnimationFrame(frame);
      setPassing(undefined);
    };
  }, [chips]);
  return <>{grouped(passing ?? chips)}</>;
}
