// Cards as text: "As" is the ace of spades, as everywhere in tahur.

export type Suit = "s" | "h" | "d" | "c";

export interface CardFace {
  readonly rank: string; // 2-9, 10, J, Q, K, A
  readonly suit: Suit;
  readonly name: string; // "ace of spades", what a screen reader says
}

const RANKS: Readonly<Record<string, string>> = {
  "2": "two",
  "3": "three",
  "4": "four",
  "5": "five",
  "6": "six",
  "7": "seven",
  "8": "eight",
  "9": "nine",
  T: "ten",
  J: "jack",
  Q: "queen",
  K: "king",
  A: "ace",
};
const SUITS: Readonly<Record<Suit, string>> = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };

export function cardFace(text: string): CardFace {
  const rank = text.slice(0, -1);
  const suit = text.slice(-1) as Suit;
  const word = RANKS[rank];
  if (word === undefined || SUITS[suit] === undefined) throw new Error(`no card '${text}'; cards look like As or Td`);
  return { rank: rank === "T" ? "10" : rank, suit, name: `${word} of ${SUITS[suit]}` };
}

/** "As Kd" -> ["As", "Kd"]; "AsKd" too. */
export function splitCards(text: string): string[] {
  return text.match(/[2-9TJQKA][shdc]/g) ?? [];
}
