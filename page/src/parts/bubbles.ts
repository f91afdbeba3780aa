// Speech bubbles: recent chat lines beside the seat that sent them.

import { useEffect, useState } from "preact/hooks";
import type { Event as RoomEvent, Scene } from "../wire.ts";
import { spoken } from "./Talk.tsx";

const SHOWN = 7000; // milliseconds

export function useBubbles(events: readonly RoomEvent[], scene: Scene | null): ReadonlyMap<number, string> {
  const [bubbles, setBubbles] = useState<ReadonlyMap<number, string>>(new Map());
  const [heard, setHeard] = useState<number>();
  useEffect(() => {
    const last = events[events.length - 1]?.number ?? 0;
    if (heard === undefined) {
      if (events.length) setHeard(last); // earlier lines are in the chat panel
      return;
    }
    const fresh = events.filter((event) => event.number > heard && event.kind === "chat" && event.seat !== null);
    if (last !== heard) setHeard(last);
    if (fresh.length === 0) return;
    const said = fresh.map((event) => [event.seat!, spoken(event.words, scene?.seats[event.seat!]?.name)] as const);
    setBubbles((now) => new Map([...now, ...said]));
    for (const [seat, words] of said) {
      setTimeout(
        () => setBubbles((now) => (now.get(seat) === words ? new Map([...now].filter(([at]) => at !== seat)) : now)),
        SHOWN,
      );
    }
  }, [events]);
  return bubbles;
}
