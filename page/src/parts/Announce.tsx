// Announces events to screen readers line by line, and the user's turn in the title too.

import { useEffect, useRef, useState } from "preact/hooks";
import { spokenEvent } from "../logic/announce.ts";
import { turnWords } from "../logic/words.ts";
import type { Event as RoomEvent, Scene } from "../wire.ts";

const KEPT = 12; // lines; each is announced once, when it is added

interface Said {
  readonly key: string;
  readonly words: string;
}

export function Announce({ scene, events }: { scene: Scene; events: readonly RoomEvent[] }) {
  const mine = scene.turn !== null && scene.turn.seat === scene.you;
  useEffect(() => {
    document.title = mine ? "Your turn · tahur" : "tahur · card room";
    return () => {
      document.title = "tahur · card room";
    };
  }, [mine]);
  const said = useRef<number | undefined>(undefined); // the last announced event
  const [lines, setLines] = useState<readonly Said[]>([]);
  useEffect(() => {
    const last = events[events.length - 1]?.number ?? 0;
    const from = said.current ?? last - 1; // a newcomer hears the last event
    said.current = Math.max(last, said.current ?? 0);
    const fresh = events
      .filter((event) => event.number > from)
      .map((event) => ({ key: String(event.number), words: spokenEvent(event, scene) }));
    const turn = mine ? [{ key: `${scene.hand} ${scene.turn?.at ?? 0}`, words: turnWords(scene) }] : [];
    setLines((now) => {
      const added = [...fresh, ...turn].filter((line) => !now.some((known) => known.key === line.key));
      return added.length ? [...now, ...added].slice(-KEPT) : now;
    });
  }, [events, mine, scene.turn?.at]);
  return (
    <div class="hidden" role="log" aria-live="polite" aria-label="what is said of the game">
      {lines.map((line) => (
        <p key={line.key}>{line.words}</p>
      ))}
    </div>
  );
}
