// Checking a deal in the browser: the server's proof against what this browser noted while the hand was played.
// docs/room.md describes the check, docs/verify_deal.py does the same in Python.

import type { DealNotes, Fairness } from "../wire.ts";
import { sha256 } from "./sha256.ts";

export interface Verdict {
  readonly right: boolean;
  readonly words: string;
}

/** `notes` are undefined if this browser was not there; then only the proof's consistency is checked. */
export function verify(proof: Fairness, notes: DealNotes | undefined): Verdict {
  const fault = firstFault(proof, notes);
  if (fault) return { right: false, words: fault };
  const many = `${proof.openings.length} of ${proof.digests.length} opened and checked in this browser`;
  return { right: true, words: [`${many}: all as committed before the deal.`, ...remarks(proof, notes)].join(" ") };
}

/** A deal of an older version, noted by an older page: its commitment covers no places, and there are no seeds. */
export function verifyOlder(proof: Fairness, noted: string | undefined): Verdict {
  const wrong = (words: string) => ({ right: false, words });
  if (noted !== undefined && noted !== proof.commitment) return wrong(NOT_NOTED);
  if (sha256(proof.digests.join("")) !== proof.commitment) return wrong(NOT_COMMITTED);
  const fault = sealFault(proof);
  if (fault) return wrong(fault);
  return {
    right: true,
    words:
      "A deal of an older version: the cards are as committed before the deal, but it does not prove which card of " +
      "the deck goes where, and no player had a part in the shuffle.",
  };
}

const NOT_NOTED = "This is not the commitment that this browser noted before the hand was dealt.";
const NOT_COMMITTED = "The header and the digests are not those that were committed to before the deal.";

function remarks(proof: Fairness, notes: DealNotes | undefined): string[] {
  const found: string[] = [];
  if (!notes) found.push("This browser was not there to note what was committed to, so the server could have made it up.");
  else if (!notes.seed)
    found.push("No seed of yours is in the shuffle: it is not proven that the server did not choose the deck.");
  else found.push("Your seed is in the shuffle.");
  const used = new Set(proof.seeds.map((each) => each.seat));
  for (const [, seat] of proof.header.matchAll(/\nseed (\d): /g))
    if (!used.has(Number(seat))) found.push(`Seat ${Number(seat) + 1} did not reveal its seed in time.`);
  return found;
}

function firstFault(proof: Fairness, notes: DealNotes | undefined): string {
  if (notes && notes.commitment !== proof.commitment) return NOT_NOTED;
  if (sha256([proof.header, ...proof.digests].join("\n")) !== proof.commitment) return NOT_COMMITTED;
  const header = readHeader(proof.header, proof.hand);
  if (!header) return "The commitment does not give every card its place in the dealing order.";
  if (proof.digests.length !== header.total || new Set(proof.digests).size !== header.total)
    return `There are not ${header.total} different digests.`;
  return seedFault(proof, header, notes) || sealFault(proof) || dealtFault(proof, header, notes);
}

// ---- the header ------------------------------------------------------------------------------------

interface Header {
  readonly unit: "cards" | "dice";
  readonly total: number;
  readonly draws: ReadonlyMap<string, readonly number[]>; // of "seat 0" and so on, and of "board"
  readonly seeds: ReadonlyMap<number, string>; // hashes
}

/** Undefined if it is not in canonical form: this hand, seat after seat, then the board, then the seeds. */
function readHeader(text: string, hand: number): Header | undefined {
  const head = /^tahur deal 1\nhand: (\d+)\ngame: \w+\n(cards|dice): (\d+)\n/.exec(text);
  if (!head || head[1] !== String(hand)) return undefined;
  const [unit, total] = [head[2] as Header["unit"], Number(head[3])];
  const draws = new Map<string, number[]>();
  let top = 0;
  for (const [, who, numbers] of text.matchAll(/\n(seat \d|board): ([\d ]+)/g)) {
    const count = numbers!.trim().split(/ +/).length;
    draws.set(who!, Array.from({ length: count }, (_, i) => top + i));
    top += count;
  }
  const seeds = new Map(Array.from(text.matchAll(/\nseed (\d): ([0-9a-f]{64})/g), (each) => [Number(each[1]), each[2]!]));
  const seats = [...draws.keys()].filter((who) => who !== "board").sort();
  const order = draws.has("board") ? [...seats, "board"] : seats;
  const lines = [
    ...order.map((who) => `${who}: ${draws.get(who)!.join(" ")}`),
    ...[...seeds.keys()].sort().map((seat) => `seed ${seat}: ${seeds.get(seat)}`),
  ];
  if (text !== head[0] + lines.join("\n")) return undefined;
  const cards = total === 52 && draws.get("board")?.length === 5 && seats.every((who) => draws.get(who)!.length === 2);
  return (unit === "cards" ? cards : top === total && !draws.has("board")) ? { unit, total, draws, seeds } : undefined;
}

// ---- seeds and cards -------------------------------------------------------------------------------

function seedFault(proof: Fairness, header: Header, notes: DealNotes | undefined): string {
  const used = new Map(proof.seeds.map((each) => [each.seat, each.seed]));
  if (used.size !== proof.seeds.length) return "A seat has two seeds.";
  for (const [seat, seed] of used)
    if (header.seeds.get(seat) !== sha256(seed)) return `The seed of seat ${seat + 1} is not the one committed to.`;
  if (notes?.seed && (notes.seat === null || used.get(notes.seat) !== notes.seed))
    return "Your seed was not used: it came too late, or the server left it out. Without it the server could choose.";
  return "";
}

function sealFault(proof: Fairness): string {
  for (const { place, whose, value, salt } of proof.openings)
    if (sha256(`${proof.hand}:${place}:${value}:${salt}`) !== proof.digests[place])
      return `${whose}: ${value} is not what was sealed at its place.`;
  return "";
}

function dealtFault(proof: Fairness, header: Header, notes: DealNotes | undefined): string {
  if (new Set(proof.openings.map((each) => each.place)).size !== proof.openings.length) return "A place is opened twice.";
  const values = dealtValues(proof, header);
  const right = header.unit === "cards" ? /^[2-9TJQKA][shdc]$/ : /^[1-6]$/;
  if (proof.openings.some((each) => !right.test(each.value))) return `Something is opened that is not of the ${header.unit}.`;
  const dealt = new Set([...header.draws.values()].flat());
  if ([...values.keys()].some((draw) => !dealt.has(draw))) return "A card is opened that was dealt to nobody.";
  if (header.unit === "cards" && new Set(values.values()).size !== values.size) return "A card is there twice.";
  return notes ? seenFault(header, values, notes) : "";
}

/** Checks that everything this browser saw is opened, and was where the dealing order puts it. */
function seenFault(header: Header, values: ReadonlyMap<number, string>, notes: DealNotes): string {
  const opened = (who: string) => (header.draws.get(who) ?? []).map((draw) => values.get(draw) ?? "?");
  if (opened(`seat ${notes.seat}`).includes("?")) return "Not all of your own hand is opened.";
  for (const { seat, cards } of notes.hands)
    if ([...cards].sort().join(" ") !== opened(`seat ${seat}`).sort().join(" "))
      return `Seat ${seat + 1} held ${cards.join(" ")}; what it was dealt opens to ${opened(`seat ${seat}`).join(" ")}.`;
  const board = opened("board").slice(0, notes.board.length).join(" ");
  return board === notes.board.join(" ") ? "" : `The board was ${notes.board.join(" ")}; its places open to ${board}.`;
}

/** The opened values by draw. */
function dealtValues(proof: Fairness, header: Header): Map<number, string> {
  const seeds = [...proof.seeds].sort((a, b) => a.seat - b.seat);
  const mix = sha256(seeds.map(({ seat, seed }) => `${seat}:${seed}`).join("\n"));
  const hashes = Array.from({ length: header.total }, (_, place) => sha256(`${mix}:${place}`));
  const opened = new Map(proof.openings.map((each) => [each.place, each.value]));
  if (!seeds.length) return opened;
  if (header.unit === "dice")
    return new Map([...opened].map(([place, die]) => [place, turned(Number(die), hashes[place]!)]));
  const places = hashes.map((_, place) => place).sort((a, b) => (hashes[a]! < hashes[b]! ? -1 : 1));
  const draws = places.map((place, draw) => [draw, opened.get(place)] as const);
  return new Map(draws.filter((each): each is [number, string] => each[1] !== undefined));
}

/** A die shifted by the hash, modulo 6. */
function turned(die: number, hash: string): string {
  return String(((die - 1 + Number(BigInt(`0x${hash}`) % 6n)) % 6) + 1);
}
