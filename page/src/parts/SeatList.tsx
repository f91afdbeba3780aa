// The seats of a new room: one is selected, and the gallery fills it.

import type { Draft } from "../logic/newroom.ts";
import { ownName } from "../store/settings.ts";
import type { House } from "../wire.ts";
import { Avatar } from "./Avatar.tsx";

export function SeatList({
  house,
  draft,
  place,
  choose,
}: {
  house: House;
  draft: Draft;
  place: number;
  choose: (at: number) => void;
}) {
  return (
    <ol class="seat-list">
      <li>
        <span class="seat-chip seat-chip-you">
          <Avatar name={ownName()} mind={false} />
          you
        </span>
      </li>
      {draft.minds.map((mind, at) => {
        const name =
          mind === null ? "free, for a friend" : (house.minds.find((each) => each.mind === mind)?.name ?? mind);
        return (
          <li key={at}>
            <button
              type="button"
              class={`seat-chip${at === place ? " seat-chip-chosen" : ""}`}
              aria-pressed={at === place}
              onClick={() => choose(at)}
            >
              {mind === null ? <span class="seat-chip-free">+</span> : <Avatar name={name} mind />}
              {name}
            </button>
          </li>
        );
      })}
    </ol>
  );
}
