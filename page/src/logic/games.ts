// Names and descriptions of the games.

import type { HoldemScene, NewRoom, PerudoScene, RoomCard, Scene } from "../wire.ts";

export type GameName = Scene["game"];

export const GAME_TITLES: Readonly<Record<GameName, string>> = {
  nlhe: "No-limit hold’em",
  limit: "Limit hold’em",
  perudo: "Perudo",
};

/** The table of a hold'em game; null in another game, and before the first hand. */
export function holdemTable(scene: Scene): HoldemScene | null {
  return scene.table?.type === "holdem" ? scene.table : null;
}

/** The table of a round of Perudo; null in another game, and before the first round. */
export function perudoTable(scene: Scene): PerudoScene | null {
  return scene.table?.type === "perudo" ? scene.table : null;
}

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
