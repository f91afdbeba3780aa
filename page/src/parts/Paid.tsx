// The animation of a pot from the middle of the table to its winner.

import { useLayoutEffect, useRef } from "preact/hooks";
import type { Place } from "../logic/seats.ts";
import { grouped } from "../logic/sizing.ts";
import { Chips } from "./Chips.tsx";
import { calm } from "./Counted.tsx";

const LASTS = 700; // milliseconds

export function Paid({ chips, to, side }: { chips: number; to: Place; side: string }) {
  const box = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (calm()) return;
    const there = { left: `${to.x}%`, top: `${to.y}%` };
    box.current?.animate([{ left: "50%", top: "50%" }, there], { duration: LASTS, easing: "ease-in-out" });
  }, []);
  return (
    <span ref={box} class={`bet bet-paid ${side}`} style={{ left: `${to.x}%`, top: `${to.y}%` }}>
      <Chips amount={chips} />+{grouped(chips)}
    </span>
  );
}
