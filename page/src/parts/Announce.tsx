// What happens, for who does not look at the table: the newest event to a screen reader, one's turn in the title too.

import { useEffect } from "preact/hooks";
import { turnWords } from "../logic/words.ts";
import type { Event as RoomEvent, Scene } from "../wire.ts";

export function Announce({ scene, events }: { scene: Scene; events: readonly RoomEvent[] }) {
  const mine = scene.turn !== null && scene.turn.seat === scene.you;
  useEffect(() => {
    document.title = mine ? "Your turn · tahur" : "tahur · card room";
    return () => {
      document.title = "tahur · card room";
    };
  }, [mine]);
  const last = events[events.length - 1];
  return (
    <p class="hidden" aria-live="polite">
      {[last?.words, mine && turnWords(scene)].filter(Boolean).join(". ")}
    </p>
  );
}
