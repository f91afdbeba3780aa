// What differs between the games on this page, apart from the shape of their tables and choices (wire.ts).

import type { HoldemScene, NewRoom, PerudoScene, RoomCard, Scene } from "../wire.ts";
import { cardFace } from "./cards.ts";
import { faceName } from "./dice.ts";

export type GameName = Scene["game"];
/** What a hand consists of: it decides how a hand is drawn, the keys and the hints. */
export type Pieces = "cards" | "dice";

/** One game in words and settings. No other file compares the name of a game. */
export interface GameTraits {
  readonly title: string;
  readonly deal: string; // what is dealt: a hand of cards, a round of dice
  readonly pieces: Pieces;
  readonly pieceName: (piece: string) => string; // for screen readers
  readonly unit: (count: number) => string; // what a seat has in front of it
  readonly stakes: (blinds: readonly number[], stack: number) => readonly string[];
  readonly buyIn: (room: Pick<NewRoom, "stack" | "dice">) => number;
  readonly stakesTitle: string; // of the form of a new room
  readonly hasBlinds: boolean;
  readonly hasHistories: boolean; // hands can be exported as PHH and PokerStars text
  readonly hasMenus: boolean; // language models can choose for personas
  readonly fixedSizes: boolean; // bets and raises have one size
  readonly leaving: { readonly own: string; readonly other: string }; // what happens to the hand of a seat that is left
}

const HOLDEM = {
  deal: "hand",
  pieces: "cards",
  pieceName: (card: string) => cardFace(card).name,
  unit: () => "chips",
  stakes: (blinds: readonly number[], stack: number) => [`blinds ${blinds.join("/")}`, `${stack} chips`],
  buyIn: ({ stack }: Pick<NewRoom, "stack">) => stack ?? 200,
  stakesTitle: "Stakes and clock",
  hasBlinds: true,
  hasHistories: true,
  hasMenus: true,
  leaving: { own: "a hand that you are in is folded", other: "A hand that is being played is folded" },
} as const;

export const GAMES: Readonly<Record<GameName, GameTraits>> = {
  nlhe: { ...HOLDEM, title: "No-limit hold’em", fixedSizes: false },
  limit: { ...HOLDEM, title: "Limit hold’em", fixedSizes: true },
  perudo: {
    title: "Perudo",
    deal: "round",
    pieces: "dice",
    pieceName: (die) => faceName(Number(die)),
    unit: (count) => (count === 1 ? "die" : "dice"),
    stakes: (_, dice) => [`${dice} dice`],
    buyIn: ({ dice }) => dice ?? 5,
    stakesTitle: "Dice and clock",
    hasBlinds: false,
    hasHistories: false,
    hasMenus: false,
    fixedSizes: false,
    leaving: { own: "your dice are out of the match", other: "The dice are out of the match" },
  },
};

/** The table of a hold'em game; null in another game, and before the first hand. */
export function holdemTable(scene: Scene): HoldemScene | null {
  return scene.table?.type === "holdem" ? scene.table : null;
}

/** The table of a round of Perudo; null in another game, and before the first round. */
export function perudoTable(scene: Scene): PerudoScene | null {
  return scene.table?.type === "perudo" ? scene.table : null;
}

/** "1 hand", "12 rounds" */
export function dealsWords(count: number, game: GameName): string {
  return `${count} ${GAMES[game].deal}${count === 1 ? "" : "s"}`;
}

/** Finished hands of a room, and how many of them the user played: the same words on every page. */
export function countWords(room: Pick<RoomCard, "finished" | "yours" | "game">): string {
  const all = dealsWords(room.finished, room.game);
  return room.yours === room.finished ? all : `${all}, ${room.yours} of them yours`;
}

/** "blinds 1/2 · 200 chips each" or "5 dice each", of a room to be opened. */
export function stakesWords(room: Pick<NewRoom, "game" | "blinds" | "stack" | "dice">): string {
  const game = GAMES[room.game ?? "nlhe"];
  return `${game.stakes(room.blinds ?? [1, 2], game.buyIn(room)).join(" · ")} each`;
}
