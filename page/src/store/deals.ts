// This browser's notes of every deal, and its seeds: the basis of the check afterwards.

import type { DealBook, Revealed } from "../logic/seeds.ts";
import { sha256 } from "../logic/sha256.ts";
import type { DealNotes } from "../wire.ts";

const NOTES = "tahur-deals";
const SEEDS = "tahur-seeds";
const MOST = { [NOTES]: 300, [SEEDS]: 100 } as const; // hands; rooms

/** For a room: the secret of its seeds, and the deck for which the last one was revealed. */
interface Secret {
  readonly secret: string;
  readonly revealed?: Revealed;
}

type Key = keyof typeof MOST;

/** For browsers without storage: as long as the page is open. */
const memory = new Map<Key, [string, unknown][]>();

export const dealBook: DealBook = {
  notes: (room, hand) => {
    const kept = notedDeal(room, hand);
    return typeof kept === "string" ? undefined : kept;
  },
  keep: (room, hand, notes) => write(NOTES, `${room}/${hand}`, notes),
  seed: (room, hand) => sha256(`${room}:${hand}:${secretOf(room).secret}`),
  revealed: (room) => secretOf(room).revealed,
  reveal: (room, revealed) => write(SEEDS, room, { ...secretOf(room), revealed }),
};

function secretOf(room: string): Secret {
  const kept = find(SEEDS, room) as Secret | undefined;
  if (kept) return kept;
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const made = { secret: Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("") };
  write(SEEDS, room, made);
  return made;
}

/** The notes of a deal. Older pages noted only the commitment; undefined: this browser was not there. */
export function notedDeal(room: string, hand: number): DealNotes | string | undefined {
  return find(NOTES, `${room}/${hand}`) as DealNotes | string | undefined;
}

/** Earlier hands of a room for which this browser revealed its seed, and that were never dealt. */
export function unseenDeals(room: string, before: number): number[] {
  return read(NOTES)
    .filter(([name, notes]) => name.startsWith(`${room}/`) && typeof notes !== "string" && isUnseen(notes as DealNotes))
    .map(([name]) => Number(name.slice(room.length + 1)))
    .filter((hand) => hand < before);
}

const isUnseen = (notes: DealNotes) => notes.seed !== null && !notes.hands.length && !notes.board.length;

function find(key: Key, name: string): unknown {
  return read(key).find(([known]) => known === name)?.[1];
}

function read(key: Key): [string, unknown][] {
  try {
    return (JSON.parse(localStorage.getItem(key) ?? "null") as [string, unknown][] | null) ?? memory.get(key) ?? [];
  } catch {
    return memory.get(key) ?? [];
  }
}

function write(key: Key, name: string, value: unknown): void {
  const others = read(key).filter(([known]) => known !== name);
  const row = [...others, [name, value] as [string, unknown]].slice(-MOST[key]);
  memory.set(key, row);
  try {
    localStorage.setItem(key, JSON.stringify(row));
  } catch {
    // It is in memory.
  }
}
