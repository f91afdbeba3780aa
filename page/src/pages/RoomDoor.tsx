// The entrance of a room: a user with a seat goes straight in; others may take a seat or watch.

import { useState } from "preact/hooks";
import { GAMES } from "../logic/games.ts";
import { listed } from "../logic/words.ts";
import { Asked } from "../parts/Asked.tsx";
import { NameField } from "../parts/NameField.tsx";
import { Shell } from "../parts/Shell.tsx";
import { askRoom, join, Refusal, watch } from "../store/house.ts";
import { ownName } from "../store/settings.ts";
import type { RoomCard } from "../wire.ts";
import { LiveTable } from "./LiveTable.tsx";

export function RoomDoor({ room }: { room: string }) {
  const [inside, setInside] = useState(false);
  if (inside) return <LiveTable room={room} />;
  return (
    <Asked
      ask={() => askRoom(room)}
      what="the room"
      again={room}
      around={(inner) => <Shell>{inner}</Shell>}
    >
      {(card) =>
        card.you !== null ? (
          <LiveTable room={room} />
        ) : (
          <Shell>
            <Door card={card} enter={() => setInside(true)} />
          </Shell>
        )
      }
    </Asked>
  );
}

function Door({ card, enter }: { card: RoomCard; enter: () => void }) {
  const [why, setWhy] = useState("");
  const come = (how: () => Promise<unknown>) => {
    how().then(enter, (error: unknown) => setWhy(error instanceof Refusal ? error.message : String(error)));
  };
  return (
    <div class="door-page">
      <h1>{card.title || GAMES[card.game].title}</h1>
      <p class="lead">
        {card.rules.title || GAMES[card.game].title},{" "}
        {GAMES[card.game].stakes(card.blinds, card.stack).join(", ")} each.
      </p>
      <p>
        At the table: {listed([...card.people, ...card.minds]) || "nobody yet"}.{" "}
        {card.empty === 0
          ? "Every seat is taken."
          : card.empty === 1
            ? "One seat is free."
            : `${card.empty} seats are free.`}
      </p>
      <NameField />
      <p class="door-do">
        {card.empty > 0 && !card.over && (
          <button
            type="button"
            class="button button-main"
            onClick={() => come(() => join(card.room, { name: ownName() }))}
          >
            Take a seat
          </button>
        )}
        <button type="button" class="button" onClick={() => come(() => watch(card.room))}>
          Watch
        </button>
      </p>
      {why && (
        <p class="wrong" role="alert">
          {why}
        </p>
      )}
      <details class="rules">
        <summary>The rules, in words</summary>
        <p class="rule-card" tabIndex={0}>
          {card.rules.card}
        </p>
      </details>
    </div>
  );
}
