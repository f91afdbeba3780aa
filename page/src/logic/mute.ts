// Muted players. A speaker is identified by the name at the table, which starts every line.

import type { Event as RoomEvent, Scene } from "../wire.ts";

/** Whether an event is a line of a muted player. */
export function isMuted(event: RoomEvent, muted: readonly string[]): boolean {
  return event.kind === "chat" && muted.some((name) => event.words.startsWith(`${name}: `));
}

/** The events without lines of muted players. */
export function audible(events: readonly RoomEvent[], muted: readonly string[]): readonly RoomEvent[] {
  return muted.length ? events.filter((event) => !isMuted(event, muted)) : events;
}

/** Players that can be muted: all others at the table, then muted ones who have left. */
export function speakers(scene: Scene, muted: readonly string[]): readonly string[] {
  const others = scene.seats.filter((seat) => seat.state !== "empty" && seat.seat !== scene.you);
  const here = others.map((seat) => seat.name);
  return [...here, ...muted.filter((name) => !here.includes(name))];
}
