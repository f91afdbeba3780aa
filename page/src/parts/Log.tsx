// The event log in words, newest at the bottom; a rule before every hand.

import { useRef } from "preact/hooks";
import { GAMES, type GameName } from "../logic/games.ts";
import { actionKind, capital } from "../logic/words.ts";
import type { Event as RoomEvent } from "../wire.ts";
import { ActionSign } from "./ActionSign.tsx";
import { WordsWithCards } from "./Card.tsx";
import { Piece } from "./Piece.tsx";
import { useFollow } from "./follow.ts";

export function Log({ events, game, gap }: { events: readonly RoomEvent[]; game: GameName; gap: boolean }) {
  const end = useRef<HTMLOListElement>(null);
  const told = events.filter((event) => event.kind !== "chat");
  useFollow(end, told.length);
  if (told.length === 0)
    return <p class="empty">Nothing has happened yet. Events at the table appear here.</p>;
  return (
    <ol class="log" ref={end} aria-label="what happened" tabIndex={0}>
      {gap && <li class="log-gap">Earlier events are in the history.</li>}
      {told.map((event, at) => (
        <LogLine
          key={event.number}
          event={event}
          game={game}
          first={event.hand > 0 && event.hand !== told[at - 1]?.hand}
        />
      ))}
    </ol>
  );
}

function LogLine({ event, game, first }: { event: RoomEvent; game: GameName; first: boolean }) {
  const kind = event.kind === "act" ? actionKind(event.words) : "other";
  return (
    <>
      {first && (
        <li class="log-hand">
          {capital(GAMES[game].deal)} {event.hand}
        </li>
      )}
      <li class={`log-line log-${event.kind} words-${kind}`}>
        {event.kind === "act" && <ActionSign kind={kind} />}
        <span>
          <WordsWithCards
            words={first ? event.words.replace(/^(Hand|Round) \d+\. /, "") : event.words}
            cards={event.cards}
          />
        </span>
        {event.cards.length > 0 && !mentions(event) && <Dealt event={event} game={game} />}
      </li>
    </>
  );
}

function Dealt({ event, game }: { event: RoomEvent; game: GameName }) {
  return (
    <span class="log-cards">
      {event.cards.map((piece, at) => (
        <Piece key={at} game={game} piece={piece} small />
      ))}
    </span>
  );
}

/** Whether the text already names the cards. */
function mentions(event: RoomEvent): boolean {
  return event.cards.every((card) => event.words.includes(card));
}
