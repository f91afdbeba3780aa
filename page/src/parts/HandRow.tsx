// A finished hand in a list.

import type { GameName } from "../logic/games.ts";
import { pathOf } from "../logic/route.ts";
import { signed } from "../logic/words.ts";
import type { HandLine } from "../wire.ts";
import { Card } from "./Card.tsx";
import { Link } from "./Link.tsx";
import { Piece } from "./Piece.tsx";

export function HandRow({ room, game, hand }: { room: string; game: GameName; hand: HandLine }) {
  return (
    <li>
      <Link to={pathOf({ page: "replay", room, hand: hand.hand })} class="hand-row">
        <span class="hand-number">{hand.hand}</span>
        <span class="hand-cards">
          {hand.cards.map((piece, at) => (
            <Piece key={at} game={game} piece={piece} />
          ))}
        </span>
        <span class="hand-words">{hand.words}</span>
        <span class="hand-board">
          {hand.board.map((card) => (
            <Card key={card} card={card} />
          ))}
        </span>
        {hand.result !== null && (
          <span class={`result ${hand.result < 0 ? "result-lost" : hand.result > 0 ? "result-won" : ""}`}>
            {signed(hand.result)}
          </span>
        )}
      </Link>
    </li>
  );
}
