// Study: hands of a node, cells of the 13x13 matrix, colours of moves, numbers as text.

import type { MoveView, NodeView } from "../wire.ts";

export const RANKS = "AKQJT98765432";
export const SUITS = "shdc";
export type Tab = "strategy" | "ev" | "equity" | "weights";

/** A hand of a range. Lists are by move; null: not computed yet, or no opposing hand can meet it. */
export interface StudyHand {
  readonly name: string; // AsKs
  readonly cell: string; // AKs
  readonly weight: number;
  readonly equity: number | null; // 0 to 1
  readonly ev: number | null;
  readonly shares: readonly number[]; // frequencies; empty if another seat acts
  readonly evs: readonly (number | null)[];
}

/** A cell of the matrix: the mean of its hands. */
export interface Cell {
  readonly name: string;
  readonly hands: readonly StudyHand[];
  readonly weight: number; // of the combos that the board leaves, 0 to 1
  readonly shares: readonly number[];
  readonly ev: number | null;
  readonly equity: number | null;
}

/** AsKs -> AKs, KhAd -> AKo, 7d7c -> 77. */
export function cellName(hand: string): string {
  const [one, two] = [hand[0]!, hand[2]!];
  if (one === two) return one + two;
  const high = RANKS.indexOf(one) < RANKS.indexOf(two) ? one + two : two + one;
  return high + (hand[1] === hand[3] ? "s" : "o");
}

/** The name of a cell by its place: suited above the diagonal, offsuit below. */
export function cellAt(row: number, column: number): string {
  if (row === column) return RANKS[row]! + RANKS[row]!;
  return row < column ? `${RANKS[row]}${RANKS[column]}s` : `${RANKS[column]}${RANKS[row]}o`;
}

export function handsOf(node: NodeView, seat: number): StudyHand[] {
  const range = node.seats[seat]!;
  const acts = node.seat === seat;
  return range.weight.map((weight, at) => {
    const name = range.hands.slice(4 * at, 4 * at + 4);
    const equity = range.equities[at];
    return {
      name,
      cell: cellName(name),
      weight,
      equity: equity === undefined || equity === null ? null : equity / 1000,
      ev: range.evs[at] ?? null,
      shares: acts ? node.strategy.map((move) => move[at]! / 1000) : [],
      evs: acts ? node.move_evs.map((move) => move[at] ?? null) : [],
    };
  });
}

/** All 169 cells, row by row. */
export function cellsOf(hands: readonly StudyHand[], board: readonly string[]): Cell[] {
  const byCell = new Map<string, StudyHand[]>();
  for (const hand of hands) byCell.set(hand.cell, [...(byCell.get(hand.cell) ?? []), hand]);
  const names = [...RANKS].flatMap((_, row) => [...RANKS].map((__, column) => cellAt(row, column)));
  return names.map((name) => cellOf(name, byCell.get(name) ?? [], board));
}

function cellOf(name: string, hands: readonly StudyHand[], board: readonly string[]): Cell {
  const total = hands.reduce((sum, hand) => sum + hand.weight, 0);
  const left = combosLeft(name, board);
  return {
    name,
    hands,
    weight: left ? total / left : 0,
    shares: (hands[0]?.shares ?? []).map((_, move) => mean(hands, (hand) => hand.shares[move]!) ?? 0),
    ev: mean(hands, (hand) => hand.ev),
    equity: mean(hands, (hand) => hand.equity),
  };
}

/** How many combos of a cell share no card with the board. */
export function combosLeft(name: string, board: readonly string[]): number {
  const free = (rank: string) => [...SUITS].filter((suit) => !board.includes(rank + suit));
  const [one, two] = [free(name[0]!), free(name[1]!)];
  if (name.length === 2) return (one.length * (one.length - 1)) / 2;
  const same = one.filter((suit) => two.includes(suit)).length;
  return name[2] === "s" ? same : one.length * two.length - same;
}

function mean(hands: readonly StudyHand[], value: (hand: StudyHand) => number | null): number | null {
  const known = hands.filter((hand) => value(hand) !== null && hand.weight > 0);
  const total = known.reduce((sum, hand) => sum + hand.weight, 0);
  return total ? known.reduce((sum, hand) => sum + hand.weight * value(hand)!, 0) / total : null;
}

/** The moves and cards that lead to a node. */
export function lineOf(node: NodeView): string[] {
  return node.trail.map((step) => step.taken).filter((taken) => taken !== "");
}

/** The class that colours each move: folds blue, checks and calls green, bets from amber to violet by size. */
export function paints(moves: readonly MoveView[]): string[] {
  const bets = moves.filter((move) => move.share !== null).length;
  let bet = 0;
  return moves.map((move) => {
    if (move.kind === "fold") return "paint-fold";
    if (move.share === null) return "paint-call";
    const shade = bets === 1 ? 1 : Math.round((4 * bet) / Math.max(bets - 1, 1));
    bet += 1;
    return `paint-heat-${shade}`;
  });
}

/** "Bet 6.75bb", with its size in pots as the second part: "75% of the pot". */
export function moveWords(move: MoveView): readonly [string, string] {
  const deed = move.kind === "all-in" ? "All-in" : move.kind[0]!.toUpperCase() + move.kind.slice(1);
  const size = move.share === null ? "" : `${Math.round(100 * move.share)}% of the pot`;
  return [move.amount ? `${deed} ${move.amount}` : deed, size];
}

export function percentText(share: number | null, digits = 1): string {
  return share === null ? "–" : `${(100 * share).toFixed(digits)}%`;
}

/** An amount with two decimals; three where a big blind is the unit and it is small. */
export function amountText(amount: number | null): string {
  if (amount === null) return "–";
  return Math.abs(amount) >= 1000 ? amount.toFixed(0) : amount.toFixed(2);
}

/** A pot or a stack: without needless decimals. */
export function chipsText(amount: number, unit: string): string {
  return unit === "bb" ? `${+amount.toFixed(2)} bb` : `${+amount.toFixed(2)} chips`;
}

export type Column = { readonly key: string; readonly value: (hand: StudyHand) => number | string | null };

/** The hands in the order of a column; hands without a value come last either way. */
export function sorted(hands: readonly StudyHand[], column: Column, down: boolean): StudyHand[] {
  const sign = down ? -1 : 1;
  return [...hands].sort((one, two) => {
    const [a, b] = [column.value(one), column.value(two)];
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
    return (a < b ? -1 : a > b ? 1 : 0) * sign;
  });
}

/** The order of hands by rank, for the column of names: AA first. */
export function rankOrder(hand: StudyHand): number {
  const [one, two] = [RANKS.indexOf(hand.name[0]!), RANKS.indexOf(hand.name[2]!)];
  return 100 * Math.min(one, two) + 4 * Math.max(one, two) + (hand.name[1] === hand.name[3] ? 0 : 1);
}

/** Whether a hand matches a typed filter: AK, AKs, 77, As or AsKs; anything that matches nothing shows nothing. */
export function matches(hand: StudyHand, typed: string): boolean {
  const text = typed.trim().toLowerCase();
  return text === "" || hand.cell.toLowerCase().startsWith(text) || hand.name.toLowerCase().includes(text);
}

/** Where a value lies between the smallest and the largest, 0 to 1. */
export function placeOf(value: number, values: readonly (number | null)[]): number {
  const known = values.filter((each): each is number => each !== null);
  const [least, most] = [Math.min(...known), Math.max(...known)];
  return most > least ? (value - least) / (most - least) : 0.5;
}

/** "12 MB", "10 kB". */
export function sizeText(bytes: number): string {
  return bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.max(1, Math.round(bytes / 1e3))} kB`;
}

/** About how long a solve takes. */
export function secondsText(seconds: number): string {
  if (seconds < 2) return "about a second";
  return seconds < 90 ? `about ${Math.round(seconds)} seconds` : `about ${Math.round(seconds / 60)} minutes`;
}

