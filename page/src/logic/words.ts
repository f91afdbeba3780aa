// Texts of the page: connection, results, actions. The texts of the log come from the server.

import type { Scene } from "../wire.ts";
import { bidWords } from "./dice.ts";
import type { Session } from "./session.ts";
import { grouped } from "./sizing.ts";

export type Link =
  | { readonly kind: "connecting" }
  | { readonly kind: "open" }
  | { readonly kind: "lost"; readonly retryIn: number } // seconds
  | { readonly kind: "ended" };

/** The state of the connection in words: what happened, what was saved, what comes next. */
export function linkWords(link: Link, session: Session): string {
  switch (link.kind) {
    case "connecting":
      return "Connecting…";
    case "open":
      return session.pending.length ? "Sending…" : "Connected";
    case "ended":
      return session.closing || "The room has closed this connection.";
    case "lost":
      return ["Connection lost.", keptWords(session), `Reconnecting, ${link.retryIn} s`].filter(Boolean).join(" ");
  }
}

function keptWords(session: Session): string {
  const waiting = session.pending[session.pending.length - 1];
  if (waiting) return `Your ${waiting.words} will be sent again.`;
  return session.saved ? `Your ${session.saved} was saved.` : "Nothing is lost.";
}

export type ActionKind = "fold" | "call" | "bet" | "all-in" | "dudo" | "calza" | "bid" | "other";

/** The kind of action in a text, for its colour and icon. */
export function actionKind(words: string): ActionKind {
  const said = words.toLowerCase();
  if (/all.?in/.test(said)) return "all-in";
  if (/\bfold/.test(said)) return "fold";
  if (/\b(check|call)/.test(said)) return "call";
  if (/\b(raise|bet)/.test(said)) return "bet";
  if (/\bdudo/.test(said)) return "dudo";
  if (/\bcalza/.test(said)) return "calza";
  return /^\d+ /.test(said) || /\bbids?\b/.test(said) ? "bid" : "other";
}

/** +1,240, −60, 0. */
export function signed(amount: number): string {
  if (amount === 0) return "0";
  return amount > 0 ? `+${grouped(amount)}` : grouped(amount);
}

export function percent(share: number): string {
  if (share > 0 && share < 0.01) return "<1%";
  if (share < 1 && share > 0.99) return ">99%";
  return `${Math.round(share * 100)}%`;
}

export const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** "Ana, Ben and Cleo" */
export function listed(names: readonly string[]): string {
  if (names.length < 2) return names[0] ?? "";
  return `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]!}`;
}

/** The decision in words, for screen readers: "Your turn: 20 to call, the pot is 90." */
export function turnWords(scene: Scene): string {
  const { table, choices } = scene;
  if (table?.type === "holdem" && choices?.type === "holdem") {
    const price = choices.call ? `${grouped(choices.call)} to call` : "you may check";
    return `Your turn: ${price}, the pot is ${grouped(table.pot)}.`;
  }
  if (table?.type !== "perudo") return "Your turn.";
  if (table.standing) return `Your turn: the bid is ${bidWords(table.standing)}, of ${table.total} dice.`;
  return `Your turn: you open, with ${table.total} dice under the cups.`;
}
