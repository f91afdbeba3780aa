// The games of the house as the page speaks of them.

import type { NewRoom, Scene } from "../wire.ts";

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

/** "1/2, 200 chips" or "5 dice each". */
export function stakesWords(room: Pick<NewRoom, "game" | "blinds" | "stack" | "dice">): string {
  if (room.game === "perudo") return `${room.dice ?? 5} dice each`;
  return `blinds ${(room.blinds ?? [1, 2]).join("/")} · ${room.stack ?? 200} chips each`;
}
