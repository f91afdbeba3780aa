// This browser's part in the shuffle, and its notes of every deal: what to send and to store for each scene.

import { holdemTable } from "./games.ts";
import { VERSION, type DealNotes, type OfferSeed, type RevealSeed, type Scene } from "../wire.ts";
import { sha256 } from "./sha256.ts";

/** The storage of notes and seeds. */
export interface DealBook {
  notes(room: string, hand: number): DealNotes | undefined;
  keep(room: string, hand: number, notes: DealNotes): void;
  /** The seed for a hand: the same in every tab of this browser and for every call. */
  seed(room: string, hand: number): string;
  /** The last deck for which a seed was revealed in this room. */
  revealed(room: string): Revealed | undefined;
  reveal(room: string, what: Revealed): void;
}

export interface Revealed {
  readonly hand: number;
  readonly commitment: string;
}

/** What one connection has sent, and the room's answers. */
export interface Sent {
  readonly ids: Set<string>;
  readonly taken: Set<string>; // acknowledged
}

/** Offers have the same id in all tabs and repetitions: the room accepts each once. */
export const seedId = (kind: "offer" | "reveal", hand: number, seed: string) =>
  `seed-${kind}-${hand}-${sha256(seed).slice(0, 16)}`;

export const isSeedId = (id: string) => id.startsWith("seed-");

/** The messages to send for this scene. Notes are stored first: no seed is revealed for an unknown deck. */
export function takePart(scene: Scene, book: DealBook, sent: Sent): (OfferSeed | RevealSeed)[] {
  if (scene.hand) noteScene(scene, book, sent);
  const requests: (OfferSeed | RevealSeed)[] = [];
  if (scene.seed_for !== null && scene.you !== null) {
    const [hand, seed] = [scene.seed_for, book.seed(scene.room, scene.seed_for)];
    requests.push({ v: VERSION, type: "offer_seed", id: seedId("offer", hand, seed), hand, digest: sha256(seed) });
  }
  const seed = noteSealed(scene, book, sent);
  if (scene.sealed && seed) {
    const hand = scene.sealed.hand;
    requests.push({ v: VERSION, type: "reveal_seed", id: seedId("reveal", hand, seed), hand, seed });
  }
  const fresh = requests.filter(({ id }) => !sent.ids.has(id));
  fresh.forEach(({ id }) => sent.ids.add(id));
  return fresh;
}

/** Notes the commitment of a sealed deck; returns the seed if it may be revealed for it. */
function noteSealed(scene: Scene, book: DealBook, sent: Sent): string | undefined {
  const sealed = scene.sealed;
  if (!sealed) return undefined;
  const notes = book.notes(scene.room, sealed.hand) ?? fresh(scene, sealed.hand, sealed.commitment, book, sent);
  const seed = scene.you === null ? "" : book.seed(scene.room, sealed.hand);
  const mine = scene.you !== null && sealed.seeds[scene.you] === sha256(seed);
  const may = mine && notes.commitment === sealed.commitment && isNew(sealed, book.revealed(scene.room));
  if (may) book.reveal(scene.room, { hand: sealed.hand, commitment: sealed.commitment });
  book.keep(scene.room, sealed.hand, may ? { ...notes, seat: scene.you, seed } : notes);
  return may ? seed : undefined;
}

/** A seed is valid for one deck: not for another one with the same number, nor for a room that goes back in time. */
function isNew(sealed: Revealed, last: Revealed | undefined): boolean {
  return !last || sealed.hand > last.hand || (sealed.hand === last.hand && sealed.commitment === last.commitment);
}

/** Notes what is seen of the current hand; the first commitment counts. */
function noteScene(scene: Scene, book: DealBook, sent: Sent): void {
  const before = book.notes(scene.room, scene.hand);
  const notes = before ?? fresh(scene, scene.hand, scene.commitment, book, sent);
  const hands = new Map(notes.hands.map((each) => [each.seat, each]));
  for (const { seat, hand } of scene.seats) if (hand.length) hands.set(seat, { seat, cards: hand });
  const board = holdemTable(scene)?.board ?? [];
  const next = {
    ...notes,
    hands: [...hands.values()],
    board: board.length > notes.board.length ? board : notes.board,
  };
  if (JSON.stringify(before) !== JSON.stringify(next)) book.keep(scene.room, scene.hand, next);
}

/** Notes of a new hand. If the room accepted our seed's hash for it, the seed must be used. */
function fresh(scene: Scene, hand: number, commitment: string, book: DealBook, sent: Sent): DealNotes {
  const seed = scene.you === null ? "" : book.seed(scene.room, hand);
  const promised = seed !== "" && sent.taken.has(seedId("offer", hand, seed));
  return { commitment, seat: scene.you, seed: promised ? seed : null, hands: [], board: [] };
}
