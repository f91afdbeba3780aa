// History: the rooms in which the user had a seat, and the hands of one room with a chart of the results.

import { useMemo, useState } from "preact/hooks";
import { countWords, dealsWords, GAMES } from "../logic/games.ts";
import { pathOf } from "../logic/route.ts";
import { listed, signed } from "../logic/words.ts";
import { Asked } from "../parts/Asked.tsx";
import { Curve } from "../parts/Curve.tsx";
import { HandRow } from "../parts/HandRow.tsx";
import { Link } from "../parts/Link.tsx";
import { Notice } from "../parts/Notice.tsx";
import { askHands, askRoom, askRooms, exportAddress } from "../store/house.ts";
import type { HandLine, HandList, RoomCard } from "../wire.ts";

export function History() {
  return (
    <div class="history">
      <h1>What was played</h1>
      <Asked ask={askRooms} what="your rooms">
        {({ rooms }) => {
          const mine = rooms.filter((room) => room.yours > 0);
          if (mine.length === 0) {
            return (
              <Notice title="Nothing yet">
                <p>Hands that you play in this browser are saved here, and can be replayed step by step.</p>
                <Link to="/" class="button">
                  Play a hand
                </Link>
              </Notice>
            );
          }
          return (
            <ul class="room-list">
              {mine.map((room) => (
                <PlayedLine key={room.room} room={room} />
              ))}
            </ul>
          );
        }}
      </Asked>
    </div>
  );
}

function PlayedLine({ room }: { room: RoomCard }) {
  return (
    <li>
      <Link to={pathOf({ page: "hands", room: room.room })} class="room-line">
        <span class="room-name">
          <b>{room.title || GAMES[room.game].title}</b>
          <small>
            {GAMES[room.game].title}
            {room.over ? " · over" : ""}
          </small>
        </span>
        <span class="room-who">
          {listed([...room.people, ...room.minds])}
          <small>{countWords(room)}</small>
        </span>
        {room.played !== null && (
          <span class={`result ${room.played < 0 ? "result-lost" : "result-won"}`}>
            {signed(room.played)}
            <small>{GAMES[room.game].unit(0)}</small>
          </span>
        )}
      </Link>
    </li>
  );
}

export function Hands({ room }: { room: string }) {
  return (
    <div class="history">
      <Asked ask={() => Promise.all([askRoom(room), askHands(room)])} what="the hands" again={room}>
        {([card, list]) => <HandsOf card={card} first={list} />}
      </Asked>
    </div>
  );
}

function HandsOf({ card, first }: { card: RoomCard; first: HandList }) {
  const [list, setList] = useState(first);
  const [why, setWhy] = useState("");
  const word = GAMES[card.game].deal;
  const more = () => {
    const last = list.hands[list.hands.length - 1];
    askHands(card.room, last?.hand).then(
      (next) => setList({ hands: [...list.hands, ...next.hands], more: next.more }),
      (error: Error) => setWhy(error.message),
    );
  };
  return (
    <>
      <header class="history-head">
        <h1>{card.title || GAMES[card.game].title}</h1>
        <p class="soft">
          {listed([...card.people, ...card.minds])} · {countWords(card)}
        </p>
        {!card.over && (
          <Link to={pathOf({ page: "room", room: card.room })} class="button">
            Back to the table
          </Link>
        )}
      </header>
      {list.hands.length === 0 ? (
        <Notice title={`No ${word} is finished yet`}>
          <p>Finished ones can be replayed here.</p>
        </Notice>
      ) : (
        <>
          <ResultCurve hands={list.hands} card={card} />
          <p class="exports">
            <span>Export:</span>
            {GAMES[card.game].hasHistories && (
              <a href={exportAddress(card.room, "phh")} download>
                PHH
              </a>
            )}
            {GAMES[card.game].hasHistories && (
              <a href={exportAddress(card.room, "pokerstars")} download>
                PokerStars text
              </a>
            )}
            <a href={exportAddress(card.room, "json")} download>
              JSON
            </a>
          </p>
          <ol class="hand-list">
            {list.hands.map((hand) => (
              <HandRow key={hand.hand} room={card.room} game={card.game} hand={hand} />
            ))}
          </ol>
          {list.more && (
            <button type="button" class="button" onClick={more}>
              Earlier ones
            </button>
          )}
          {why && (
            <p class="wrong" role="alert">
              {why}
            </p>
          )}
        </>
      )}
    </>
  );
}

function ResultCurve({ hands, card }: { hands: readonly HandLine[]; card: RoomCard }) {
  const [totals, from] = useMemo(() => curveOf(hands), [hands]);
  if (totals.length < 2) return null;
  const unit = GAMES[card.game].unit(0); // in the plural
  const end = totals[totals.length - 1]!;
  return (
    <section class="curve-box">
      <h2>
        {signed(end)} {unit}{" "}
        <small>after {dealsWords(card.yours, card.game)}</small>
      </h2>
      <Curve totals={totals} unit={unit} from={from} />
    </section>
  );
}

/** The running total, oldest first, with the state before it; and the number of that first point. */
function curveOf(hands: readonly HandLine[]): [number[], number] {
  const known = [...hands].reverse().filter((hand) => hand.total !== null);
  const first = known[0];
  if (!first) return [[], 0];
  return [[first.total! - (first.result ?? 0), ...known.map((hand) => hand.total!)], first.hand - 1];
}
