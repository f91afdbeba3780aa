// The keyboard at the table: which key means what. Pure, so that it can be shown on `?` and tested.

import type { Pieces } from "./games.ts";

export type Intent =
  | { readonly kind: "fold" }
  | { readonly kind: "call" }
  | { readonly kind: "raise" }
  | { readonly kind: "preset"; readonly at: number }
  | { readonly kind: "allIn" }
  | { readonly kind: "confirm" }
  | { readonly kind: "cancel" }
  | { readonly kind: "dudo" }
  | { readonly kind: "calza" }
  | { readonly kind: "more" }
  | { readonly kind: "less" }
  | { readonly kind: "help" };

export interface Press {
  readonly key: string;
  readonly typing: boolean; // the focus is in a field: letters are text there
  readonly modified: boolean; // with Ctrl, Alt or Meta
}

export function intentOf(press: Press, pieces: Pieces): Intent | undefined {
  if (press.modified) return undefined;
  if (press.key === "Escape") return { kind: "cancel" };
  if (press.typing) return undefined;
  if (press.key === "?") return { kind: "help" };
  if (press.key === "Enter") return { kind: "confirm" };
  return pieces === "cards" ? cardIntent(press.key) : diceIntent(press.key);
}

function cardIntent(key: string): Intent | undefined {
  if (/^[1-5]$/.test(key)) return { kind: "preset", at: Number(key) - 1 };
  switch (key.toLowerCase()) {
    case "f":
      return { kind: "fold" };
    case "c":
      return { kind: "call" };
    case "r":
      return { kind: "raise" };
    case "a":
      return { kind: "allIn" };
    case "arrowup":
      return { kind: "more" };
    case "arrowdown":
      return { kind: "less" };
    default:
      return undefined;
  }
}

function diceIntent(key: string): Intent | undefined {
  if (/^[1-6]$/.test(key)) return { kind: "preset", at: Number(key) - 1 };
  switch (key.toLowerCase()) {
    case "d":
      return { kind: "dudo" };
    case "c":
      return { kind: "calza" };
    case "arrowup":
      return { kind: "more" };
    case "arrowdown":
      return { kind: "less" };
    default:
      return undefined;
  }
}

export const KEY_LINES: Readonly<Record<Pieces, readonly (readonly [string, string])[]>> = {
  cards: [
    ["F", "fold"],
    ["C", "check or call"],
    ["R", "raise: the amount is chosen, Enter sends it"],
    ["1 – 5", "a preset size; Enter sends it"],
    ["↑ ↓", "a big blind more or less"],
    ["A", "all-in; Enter confirms it"],
    ["Enter", "send what is chosen"],
    ["Esc", "choose nothing"],
    ["?", "this list"],
  ],
  dice: [
    ["1 – 6", "the face to bid; Enter sends it"],
    ["↑ ↓", "one die more or less"],
    ["D", "dudo: doubt the bid; Enter sends it"],
    ["C", "calza: the bid is exactly right; Enter sends it"],
    ["Enter", "send what is chosen"],
    ["Esc", "choose nothing"],
    ["?", "this list"],
  ],
};
