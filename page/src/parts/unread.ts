// The number of unread chat lines of others; read lines stay read after reloading the page.

import { useEffect, useState } from "preact/hooks";
import type { Event as RoomEvent, Scene } from "../wire.ts";

const KEY = "tahur-talk-";

export function useUnread(scene: Scene, events: readonly RoomEvent[], reading: boolean): number {
  const last = events[events.length - 1]?.number ?? 0;
  // A newcomer has no unread lines: earlier ones are in the chat panel.
  const [seen, setSeen] = useState(() => noted(scene.room) ?? last);
  useEffect(() => {
    if (reading) setSeen(last);
  }, [reading, last]);
  useEffect(() => note(scene.room, seen), [scene.room, seen]);
  if (reading) return 0;
  return events.filter((event) => event.kind === "chat" && event.number > seen && event.seat !== scene.you).length;
}

function noted(room: string): number | undefined {
  try {
    const kept = sessionStorage.getItem(KEY + room);
    return kept === null ? undefined : Number(kept);
  } catch {
    return undefined;
  }
}

function note(room: string, seen: number): void {
  try {
    sessionStorage.setItem(KEY + room, String(seen));
  } catch {
    // Without storage, counting starts again.
  }
}
