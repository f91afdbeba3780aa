// The bots of the server: style radar, description, sample lines.

import type { Mind } from "../wire.ts";
import { Avatar } from "./Avatar.tsx";
import { Radar } from "./Radar.tsx";

export function Gallery({
  minds,
  chosen,
  choose,
}: {
  minds: readonly Mind[];
  chosen: string | null;
  choose: (mind: string | null) => void;
}) {
  return (
    <div class="gallery" role="group" aria-label="bots for this seat">
      <button
        type="button"
        class={`mind mind-free${chosen === null ? " mind-chosen" : ""}`}
        aria-pressed={chosen === null}
        onClick={() => choose(null)}
      >
        <b>No one yet</b>
        <span>The seat stays free for a friend who joins by your link.</span>
      </button>
      {minds.map((mind) => (
        <button
          key={mind.mind}
          type="button"
          class={`mind${chosen === mind.mind ? " mind-chosen" : ""}`}
          aria-pressed={chosen === mind.mind}
          onClick={() => choose(mind.mind)}
        >
          <span class="mind-head">
            <Avatar name={mind.name} mind />
            <b>{mind.name}</b>
          </span>
          <Radar figures={mind.figures} name={mind.name} />
          <span class="mind-summary">{mind.summary}</span>
          {mind.lines[0] && <q>{mind.lines[0]}</q>}
        </button>
      ))}
    </div>
  );
}
