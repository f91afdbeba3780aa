// The form of a new room: every change keeps it valid for the server.

import type { GameCard, House, Mind, NewRoom } from "../wire.ts";
import { GAMES, type GameName } from "./games.ts";

export type Draft = Required<Omit<NewRoom, "name" | "password" | "wait">>;

export function firstDraft(house: House): Draft {
  const { quick } = house;
  return {
    title: "",
    game: "nlhe",
    rules: "",
    minds: quick.minds ?? [null],
    stack: quick.stack ?? 200,
    blinds: quick.blinds ?? [1, 2],
    dice: quick.dice ?? 5,
    seconds: quick.seconds ?? 30,
    bank: quick.bank || 60, // a game without a clock has no time bank; one with a clock has
    pace: quick.pace ?? "usual",
    open_cards: false,
    listed: true,
    llm: false,
  };
}

export function gameCard(house: House, game: GameName): GameCard {
  const card = house.games.find((each) => each.game === game);
  if (!card) throw new Error(`no game '${game}' on this server`);
  return card;
}

/** The bots that can play this game. */
export function mindsFor(house: House, game: GameName): Mind[] {
  return house.minds.filter((mind) => mind.games.includes(game));
}

/** Change the game: its first rules, a valid number of seats, and bots that can play it. */
export function withGame(house: House, draft: Draft, game: GameName): Draft {
  const card = gameCard(house, game);
  const able = company(house, game);
  let next = 0;
  const minds = draft.minds.map((mind) => (mind === null || able.length === 0 ? null : able[next++ % able.length]!));
  const llm = draft.llm && noModel(house, game) === "";
  return withSeats(house, { ...draft, game, rules: card.rules[0]?.name ?? "", minds, llm }, minds.length + 1);
}

/** The default bots: those of the quick game, or personas first. */
function company(house: House, game: GameName): string[] {
  const able = mindsFor(house, game);
  const quick = (house.quick.game ?? "nlhe") === game ? (house.quick.minds ?? []) : [];
  const character = able.filter((mind) => mind.figures.length > 0);
  const order = [...quick, ...character.map((mind) => mind.mind), ...able.map((mind) => mind.mind)];
  return [...new Set(order.filter((mind): mind is string => mind !== null))];
}

/** Change the number of seats, including the user's; new seats get bots that are not seated yet. */
export function withSeats(house: House, draft: Draft, seats: number): Draft {
  const card = gameCard(house, draft.game);
  const others = Math.min(card.most_seats, Math.max(card.least_seats, seats)) - 1;
  const minds = draft.minds.slice(0, others);
  const able = company(house, draft.game);
  while (minds.length < others)
    minds.push(able.find((mind) => !minds.includes(mind)) ?? able[minds.length % Math.max(1, able.length)] ?? null);
  return { ...draft, minds };
}

export function withMind(draft: Draft, at: number, mind: string | null): Draft {
  return { ...draft, minds: draft.minds.map((each, place) => (place === at ? mind : each)) };
}

/** Why no language model can choose for the personas of this room; "" if one can. */
export function noModel(house: House, game: GameName): string {
  if (house.llm === null) return "none is configured; the operator can add one: tahur room serve --llm URL --model NAME";
  return GAMES[game].hasMenus ? "" : "at hold’em only";
}

/** What is wrong with the form, in words; "" if it is valid. */
export function wrongWith(draft: Draft): string {
  const [small = 0, big = 0] = draft.blinds;
  if (GAMES[draft.game].hasBlinds) {
    if (!Number.isInteger(small) || !Number.isInteger(big) || small < 0 || big < 1) return "Blinds are whole chips.";
    if (small > big) return "The small blind must not be larger than the big blind.";
    if (draft.stack < 2 * big) return `Everyone needs at least two big blinds: ${2 * big} chips.`;
  }
  if (draft.open_cards && draft.minds.includes(null))
    return "Open cards are for study against bots only: fill the free seats with bots.";
  return "";
}
