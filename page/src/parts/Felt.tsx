// The felt: seats around it, the board or the standing bid in the middle, pots and bets. Drawn only from a scene.

import type { ComponentChildren } from "preact";
import type { ClockLeft } from "../logic/session.ts";
import { betPlace, seatPlace, type Place } from "../logic/seats.ts";
import { grouped } from "../logic/sizing.ts";
import { holdemTable, perudoTable } from "../logic/games.ts";
import type { HoldemScene, News, PerudoScene, Scene } from "../wire.ts";
import { bidWords } from "../logic/dice.ts";
import { Card, CardPlace } from "./Card.tsx";
import { Die } from "./Die.tsx";
import { Chips } from "./Chips.tsx";
import { Paid } from "./Paid.tsx";
import { isLit, Seat, type EmptyChair } from "./Seat.tsx";

interface Props {
  readonly scene: Scene;
  readonly clock?: ClockLeft | undefined;
  readonly bubbles?: ReadonlyMap<number, string>;
  readonly empty?: EmptyChair | undefined;
  readonly children?: ComponentChildren;
}

export function Felt({ scene, clock, bubbles, empty, children }: Props) {
  const holdem = holdemTable(scene);
  const perudo = perudoTable(scene);
  const places = scene.seats.map((seat) => seatPlace(seat.seat, scene.seats.length, scene.you));
  return (
    <div class={`felt felt-${scene.game}${scene.seats.length > 4 ? " felt-many" : ""}`}>
      <div class="felt-cloth" aria-hidden="true" />
      <div class="felt-middle">
        {holdem && <Board table={holdem} lit={isLit(scene)} />}
        {perudo && <Standing scene={scene} table={perudo} />}
        {scene.news && <NewsLine key={scene.news.words} news={scene.news} />}
        {!scene.news && scene.phase !== "playing" && scene.why && (
          <p class="felt-why" role="status">
            {scene.why}
          </p>
        )}
        {children}
      </div>
      {scene.seats.map(
        (seat, at) =>
          seat.bet > 0 && (
            <span
              key={`bet ${seat.seat}`}
              class={`bet ${seat.seat === scene.you ? "bet-own" : side(places[at]!)}`}
              style={centred(betPlace(places[at]!))}
            >
              <Chips amount={seat.bet} />
              {grouped(seat.bet)}
            </span>
          ),
      )}
      {holdem &&
        scene.news?.seats.map((seat, at) => {
          const paid = scene.news?.paid[at] ?? 0;
          return (
            paid > 0 && (
              <Paid
                key={`paid ${scene.news?.words} ${seat}`}
                chips={paid}
                to={betPlace(places[seat]!)}
                side={seat === scene.you ? "bet-own" : side(places[seat]!)}
              />
            )
          );
        })}
      {scene.seats.map((seat, at) => (
        <div key={seat.seat} class={`place ${edge(places[at]!)}`} style={placed(places[at]!)}>
          <Seat
            scene={scene}
            seat={seat}
            clock={scene.turn?.seat === seat.seat ? clock : undefined}
            bubble={bubbles?.get(seat.seat)}
            empty={empty}
          />
        </div>
      ))}
    </div>
  );
}

function NewsLine({ news }: { news: News }) {
  return (
    <p class="news">
      <b>{news.words}</b>
      <span>{news.detail}</span>
    </p>
  );
}

function Board({ table, lit }: { table: HoldemScene; lit: boolean }) {
  return (
    <>
      <div class="board" role="group" aria-label={table.board.length ? "the board" : "no cards on the board yet"}>
        {Array.from({ length: 5 }, (_, at) => {
          const card = table.board[at];
          if (!card) return <CardPlace key={at} />;
          return <Card key={card} card={card} lit={table.lit.includes(at)} dim={lit && !table.lit.includes(at)} />;
        })}
      </div>
      <Pots table={table} />
    </>
  );
}

function Pots({ table }: { table: HoldemScene }) {
  if (table.pot === 0) return <p class="pots">&nbsp;</p>;
  return (
    <p class="pots">
      <span class="pot-whole">
        Pot <b>{grouped(table.pot)}</b>
      </span>
      {table.pots.length > 1 &&
        table.pots.map((pot, at) => (
          <span key={at} class="pot-part">
            {at === 0 ? "main" : `side ${at}`} {grouped(pot.chips)}
          </span>
        ))}
    </p>
  );
}

function Standing({ scene, table }: { scene: Scene; table: PerudoScene }) {
  const bid = table.standing;
  const who = bid?.seat == null ? "" : (scene.seats[bid.seat]?.name ?? "");
  return (
    <div class="standing">
      {bid ? (
        <p class="standing-bid" role="group" aria-label={`the bid: ${bidWords(bid)}`}>
          <b>{bid.count}</b>
          <span aria-hidden="true">×</span>
          <Die face={bid.face} />
        </p>
      ) : (
        <p class="standing-none">No bid yet</p>
      )}
      <p class="standing-who">
        {!bid
          ? `${table.total} dice under the cups`
          : table.found === null
            ? `${who} bids ${bidWords(bid)}`
            : `${table.found} found, ${bid.count} bid`}
      </p>
      <p class="standing-rules">
        {bid && <span>{table.total} dice in play</span>}
        {table.palifico && <span class="palifico">Palifico</span>}
        <span>{table.wild ? "aces are wild" : "aces are not wild"}</span>
      </p>
    </div>
  );
}

/** The edges near a seat: its speech bubble must not cross them. */
const edge = ({ x, y }: Place) =>
  `${y > 80 ? "place-low" : y < 20 ? "place-high" : "place-side"} ${x < 35 ? "place-left" : x > 65 ? "place-right" : ""}`;
const side = ({ x }: Place) => (x < 25 ? "bet-left" : x > 75 ? "bet-right" : "");
const centred = ({ x, y }: Place) => ({ left: `${x}%`, top: `${y}%` });
const placed = ({ x, y }: Place) => ({ left: `${x}%`, top: `${y}%`, transform: `translate(${-x}%, ${-y}%)` });
