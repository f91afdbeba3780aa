// Raise amounts: typed text, the slider, and the colour of a size. "Raise to" everywhere, never "raise by".

import type { Scene } from "../wire.ts";
import { GAMES } from "./games.ts";

export interface Betting {
  readonly pot: number; // the pot, including the bets of this street
  readonly bet: number; // the bet to match
  readonly toCall: number;
  readonly least: number; // the least total to raise to
  readonly most: number; // all-in, or the limit's one size
  readonly bigBlind: number;
  readonly fixed: boolean; // limit: one size
}

/** Raise to the bet plus that part of the pot as it would be after calling, rounded half up. */
export function potRaise(betting: Betting, part: number): number {
  return betting.bet + Math.floor(part * (betting.pot + betting.toCall) + 0.5);
}

/** The betting that a scene offers; undefined where there is no raise. */
export function bettingOf(scene: Scene): Betting | undefined {
  const { choices, table } = scene;
  if (choices?.type !== "holdem" || table?.type !== "holdem" || choices.least === null || choices.most === null) return undefined;
  return {
    pot: table.pot,
    bet: table.bet,
    toCall: choices.call,
    least: choices.least,
    most: choices.most,
    bigBlind: Math.max(1, table.blinds[table.blinds.length - 1] ?? 1),
    fixed: GAMES[scene.game].fixedSizes,
  };
}

export type Typed = { readonly to: number } | { readonly wrong: string };

const AMOUNT = /^(?:(?:raise|bet|r|b)\s*)?(?:to\s*)?([0-9][0-9,\s]{0,11}(?:\.[0-9]{1,6})?)\s*(bb|%)?$/;

/** Parses a typed amount: `240`, `2.5bb` or `60%` of the pot after calling; or returns what is wrong with it. */
export function readAmount(betting: Betting, typed: string): Typed {
  const found = AMOUNT.exec(typed.trim().toLowerCase());
  if (!found) return { wrong: "Type chips such as 240, big blinds such as 2.5bb, or 60% of the pot." };
  const number = Number(found[1]!.replace(/[,\s]/g, ""));
  const to =
    found[2] === "bb"
      ? Math.floor(number * betting.bigBlind + 0.5)
      : found[2] === "%"
        ? potRaise(betting, number / 100)
        : Math.floor(number);
  return checked(betting, to);
}

function checked(betting: Betting, to: number): Typed {
  const { least, most } = betting;
  if (betting.fixed && to !== least) return { wrong: `Only to ${grouped(least)}: this is a limit game.` };
  if (to < least || to > most)
    return { wrong: `${grouped(to)} is not allowed: from ${grouped(least)} to ${grouped(most)}.` };
  return { to };
}

/** A bet's size from 0 (least) to 1 (twice the pot or more), for its colour from amber to violet. */
export function heat(betting: Betting, to: number): number {
  const extra = Math.max(0, to - betting.bet);
  const pot = betting.pot + betting.toCall;
  if (pot <= 0) return 1;
  return Math.min(1, extra / pot / 2);
}

/** One of five heat steps, as used in CSS classes. */
export function heatStep(share: number): number {
  return Math.min(4, Math.floor(share * 5));
}

/** A slider position from 0 to 1000 as chips: finer at the low end, where most bets are. */
export function slid(betting: Betting, place: number): number {
  const share = Math.min(1, Math.max(0, place / 1000));
  const { least, most, bigBlind } = betting;
  if (share === 1 || least >= most) return most;
  const raw = least + (most - least) * share ** 2;
  const step = most - least > 40 * bigBlind ? Math.max(1, Math.floor(bigBlind / 2)) : 1;
  return Math.min(most, Math.max(least, least + Math.round((raw - least) / step) * step));
}

/** The slider position for an amount in chips. */
export function placeOf(betting: Betting, to: number): number {
  const { least, most } = betting;
  if (most <= least) return 1000;
  return Math.round(1000 * Math.sqrt((Math.min(most, Math.max(least, to)) - least) / (most - least)));
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowUp: 1,
  ArrowLeft: -1,
  ArrowDown: -1,
  PageUp: 5,
  PageDown: -5,
  Home: -Infinity,
  End: Infinity,
};

/** The amount after a key on the slider: big blinds more or less, the least, the most; undefined for other keys. */
export function stepped(betting: Betting, to: number, key: string): number | undefined {
  const step = STEPS[key];
  if (step === undefined) return undefined;
  return Math.min(betting.most, Math.max(betting.least, to + step * betting.bigBlind));
}

/** 12,345 */
export function grouped(chips: number): string {
  const sign = chips < 0 ? "−" : "";
  return sign + String(Math.abs(Math.round(chips))).replace(/\B(?=(\d{3})+$)/g, ",");
}
