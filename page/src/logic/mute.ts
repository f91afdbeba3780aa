// Whose words one does not want to hear. A speaker is known by the name at the table, which stands before every line.

import type { Event as RoomEvent, Scene } from "../wire.ts";

/** Whether it is a line of somebody muted. */
export function isMuted(event: RoomEvent, muted: readonly string[]): boolean {
  return event.kind === "chat" && muted.some((name) => event.words.startsWith(`${name}: `));
}

/** The events without the lines of who is muted. */
export function audible(events: readonly RoomEvent[], muted: readonly string[]): readonly RoomEvent[] {
  return muted.length ? events.filter((event) => !isMuted(event, muted)) : events;
}

/** Whom one can mute: everybody else at the table, then those who are muted and have left. */
export function speakers(scene: Scene, muted: readonly string[]): readonly string[] {
  const others = scene.seats.filter((seat) => seat.state !== "empty" && seat.seat !== scene.you);
  const here = others.map((seat) => seat.name);
  return [...here, ...muted.filter((name) => !here.includes(name))];
}
