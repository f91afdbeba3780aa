// One card or die of a hand, as its game draws it.

import { GAMES, type GameName } from "../logic/games.ts";
import { Card, CardWords } from "./Card.tsx";
import { Die } from "./Die.tsx";

interface Props {
  readonly game: GameName;
  readonly piece: string; // "As", "5"
  readonly small?: boolean; // a card in a line of text
}

export function Piece({ game, piece, small = false }: Props) {
  if (GAMES[game].pieces === "dice") return <Die face={Number(piece)} />;
  return small ? <CardWords card={piece} /> : <Card card={piece} />;
}
