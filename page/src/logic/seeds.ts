// This browser's part in the shuffle, and its notes of every deal: what is sent and written down for each scene.

import { VERSION, type DealNotes, type OfferSeed, type RevealSeed, type Scene } from "../wire.ts";
import { sha256 } from "./sha256.ts";

/** Where notes and seeds are kept. */
export interface DealBook {
  notes(room: string, hand: number): DealNotes | undefined;
  keep(room: string, hand: number, notes: DealNotes): void;
  /** The seed for that hand: the same in every tab of this browser, and however often it is asked for. */
  seed(room: string, hand: number): string;
  /** What a seed was last revealed for in that room. */
  revealed(room: string): Revealed | undefined;
  reveal(room: string, what: Revealed): void;
}

export interface Revealed {
  readonly hand: number;
  readonly commitment: string;
}

/** What one connection has sent, and what the room has answered to it. */
export interface Sent {
  readonly ids: Set<string>;
  readonly taken: Set<string>; // acknowledged
}

/** Offers carry the same id however often, and from however many tabs, they are sent: the room takes each once. */
export const seedId = (kind: "offer" | "reveal", hand: number, seed: string) =>
  `seed-${kind}-${hand}-${sha256(seed).slice(0, 16)}`;

export const isSeedId = (id: string) => id.startsWith("seed-");

/** What is to be sent now that this scene came. The notes are written first: no seed is revealed for an unknown deck. */
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

/** Notes the commitment of a sealed deck; the seed, if it may be revealed for it. */
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

/** A seed is good for one deck: not for another one under the same number, nor for a room that goes back in time. */
function isNew(sealed: Revealed, last: Revealed | undefined): boolean {
  return !last || sealed.hand > last.hand || (sealed.hand === last.hand && sealed.commitment === last.commitment);
}

/** Notes what is seen of the hand that is played: the first word counts for the commitment. */
function noteScene(scene: Scene, book: DealBook, sent: Sent): void {
  const before = book.notes(scene.room, scene.hand);
  const notes = before ?? fresh(scene, scene.hand, scene.commitment, book, sent);
  const hands = new Map(notes.hands.map((each) => [each.seat, each]));
  for (const { seat, hand } of scene.seats) if (hand.length) hands.set(seat, { seat, cards: hand });
  const board = scene.holdem?.board ?? [];
  const next = {
    ...notes,
    hands: [...hands.values()],
    board: board.length > notes.board.length ? board : notes.board,
  };
  if (JSON.stringify(before) !== JSON.stringify(next)) book.keep(scene.room, scene.hand, next);
}

/** Notes of a hand that was not known yet. If the room had taken our seed's hash for it, the seed must be used. */
function fresh(scene: Scene, hand: number, commitment: string, book: DealBook, sent: Sent): DealNotes {
  const seed = scene.you === null ? "" : book.seed(scene.room, hand);
  const promised = seed !== "" && sent.taken.has(seedId("offer", hand, seed));
  return { commitment, seat: scene.you, seed: promised ? seed : null, hands: [], board: [] };
}
