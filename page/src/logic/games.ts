// Names and descriptions of the games.

import type { NewRoom, RoomCard, Scene } from "../wire.ts";

export type GameName = Scene["game"];

export const GAME_TITLES: Readonly<Record<GameName, string>> = {
  nlhe: "No-limit hold’em",
  limit: "Limit hold’em",
  perudo: "Perudo",
};

/** A hand of cards, a round of dice. */
export function dealWord(game: GameName): string {
  return game === "perudo" ? "round" : "hand";
}

/** "1 hand", "12 rounds" */
export function dealsWords(count: number, game: GameName): string {
  return `${count} ${dealWord(game)}${count === 1 ? "" : "s"}`;
}

/** Finished hands of a room, and how many of them the user played: the same words on every page. */
export function countWords(room: Pick<RoomCard, "finished" | "yours" | "game">): string {
  const all = dealsWords(room.finished, room.game);
  return room.yours === room.finished ? all : `${all}, ${room.yours} of them yours`;
}

/** "1/2, 200 chips" or "5 dice each". */
export function stakesWords(room: Pick<NewRoom, "game" | "blinds" | "stack" | "dice">): string {
  if (room.game === "perudo") return `${room.dice ?? 5} dice each`;
  return `blinds ${(room.blinds ?? [1, 2]).join("/")} · ${room.stack ?? 200} chips each`;
}
