// Perudo: bids in words, the ladder of bids, and the chance that a bid is true given the user's dice.

export interface Bid {
  readonly count: number;
  readonly face: number;
}

const FACES = ["", "ace", "two", "three", "four", "five", "six"];

export function faceName(face: number, count = 1): string {
  const name = FACES[face] ?? "?";
  return count === 1 ? name : face === 6 ? "sixes" : `${name}s`;
}

export function bidWords(bid: Bid): string {
  return `${bid.count} ${faceName(bid.face, bid.count)}`;
}

/** How many dice of a hand count for a face; aces are wild unless the round is palifico. */
export function matching(dice: readonly number[], face: number, wild: boolean): number {
  return dice.filter((die) => die === face || (wild && die === 1)).length;
}

/** The chance that a bid is true, given my dice and a number of hidden dice. */
export function bidChance(bid: Bid, mine: readonly number[], hidden: number, wild: boolean): number {
  const need = bid.count - matching(mine, bid.face, wild);
  return atLeast(need, hidden, wild && bid.face !== 1 ? 1 / 3 : 1 / 6);
}

/** The chance of at least `need` successes in `tries`. */
export function atLeast(need: number, tries: number, chance: number): number {
  if (need <= 0) return 1;
  if (need > tries) return 0;
  let sum = 0;
  let term = (1 - chance) ** tries; // of none
  for (let hits = 0; hits <= tries; hits += 1) {
    if (hits >= need) sum += term;
    term *= ((tries - hits) / (hits + 1)) * (chance / (1 - chance));
  }
  return Math.min(1, sum);
}
