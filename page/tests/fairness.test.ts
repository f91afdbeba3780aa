import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { verify, verifyOlder } from "../src/logic/fairness.ts";
import { seedId, takePart, type DealBook, type Revealed, type Sent } from "../src/logic/seeds.ts";
import { sha256 } from "../src/logic/sha256.ts";
import type { DealFile, DealNotes, Scene } from "../src/wire.ts";

// The same deals that the other checks are tested with: python tests/room/forgers.py writes them.
const DEALS = JSON.parse(readFileSync(new URL("../../tests/data/deals.json", import.meta.url), "utf8")) as Record<
  "honest" | "forged",
  Record<string, DealFile>
>;

test("SHA-256 is the same as the one of node, at every length around a block", () => {
  for (let length = 0; length < 200; length++) {
    const text = "ä€x".repeat(length).slice(0, length);
    assert.equal(sha256(text), createHash("sha256").update(text).digest("hex"));
  }
});

for (const [name, { proof, notes }] of Object.entries(DEALS.honest))
  test(`an honest deal is right: ${name}`, () => {
    assert.deepEqual([verify(proof, notes).right, verify(proof, undefined).right], [true, true]);
  });

for (const [name, { proof, notes }] of Object.entries(DEALS.forged))
  test(`a forged deal is wrong: ${name}`, () => {
    const verdict = verify(proof, notes);
    assert.equal(verdict.right, false);
    assert.ok(verdict.words.length > 20);
  });

test("what a sound proof leaves open is said", () => {
  const { proof, notes } = DEALS.honest["nlhe, one seed came too late"]!;
  assert.match(verify(proof, notes).words, /Your seed is in the shuffle. Seat 2 did not reveal/);
  assert.match(verify(proof, { ...notes, seed: null }).words, /not proven that the server did not choose/);
  assert.match(verify(proof, undefined).words, /was not there/);
});

test("a deal of an older version is checked as far as it goes", () => {
  const { proof, notes } = DEALS.forged["nlhe, no header"]!;
  assert.ok(verifyOlder(proof, notes.commitment).right);
  assert.match(verifyOlder(proof, undefined).words, /older version/);
  assert.ok(!verifyOlder(proof, "another").right);
  assert.ok(!verifyOlder({ ...proof, digests: [...proof.digests].reverse() }, undefined).right);
});

// ---- taking part -----------------------------------------------------------------------------------

const SEED = "5e".repeat(32);
const SCENE = { room: "r", hand: 0, you: 0, seats: [], table: null, commitment: "", seed_for: 1, sealed: null };
const scene = (change: object) => ({ ...SCENE, ...change }) as unknown as Scene;
const sealedScene = (commitment = "c1", seeds: (string | null)[] = [sha256(SEED)]) =>
  scene({ seed_for: null, sealed: { hand: 1, commitment, seeds } });

function table(): { book: DealBook; kept: Map<number, DealNotes>; sent: Sent } {
  const kept = new Map<number, DealNotes>();
  let last: Revealed | undefined;
  const book = {
    notes: (_: string, hand: number) => kept.get(hand),
    keep: (_: string, hand: number, notes: DealNotes) => void kept.set(hand, notes),
    seed: () => SEED,
    revealed: () => last,
    reveal: (_: string, what: Revealed) => void (last = what),
  };
  return { book, kept, sent: { ids: new Set(), taken: new Set() } };
}

test("the hash is offered first, and the seed only once the commitment is noted", () => {
  const { book, kept, sent } = table();
  const [offer, ...others] = takePart(SCENE as unknown as Scene, book, sent);
  assert.deepEqual([offer?.type, offer?.type === "offer_seed" && offer.digest, others], ["offer_seed", sha256(SEED), []]);
  assert.ok(!JSON.stringify(offer).includes(SEED));
  assert.deepEqual(takePart(SCENE as unknown as Scene, book, sent), []); // once for a connection
  const [reveal] = takePart(sealedScene(), book, sent);
  assert.deepEqual([reveal?.type, reveal?.type === "reveal_seed" && reveal.seed], ["reveal_seed", SEED]);
  assert.deepEqual(kept.get(1), { commitment: "c1", seat: 0, seed: SEED, hands: [], board: [] });
});

test("a seed is not revealed for another deck than was sealed first, and the first stays noted", () => {
  const { book, kept, sent } = table();
  takePart(sealedScene("c1", [null]), book, sent);
  assert.deepEqual(takePart(sealedScene("c2"), book, sent), []);
  assert.equal(kept.get(1)?.commitment, "c1");
});

test("a seed is not revealed again when its room goes back in time, though the notes of that hand are gone", () => {
  const { book, kept, sent } = table();
  book.reveal("r", { hand: 7, commitment: "c7" });
  assert.deepEqual(takePart(sealedScene("c2"), book, sent), []);
  assert.equal(kept.get(1)?.seed, null);
  book.reveal("r", { hand: 1, commitment: "c2" });
  assert.equal(takePart(sealedScene("c2"), book, sent).length, 1); // a copy for the same deck, as from another tab
  kept.clear();
  assert.deepEqual(takePart(sealedScene("c3"), book, { ids: new Set(), taken: new Set() }), []);
});

test("a seed is not revealed where its hash is not in the commitment, nor by a spectator", () => {
  const { book, sent } = table();
  assert.deepEqual(takePart(sealedScene("c1", ["00".repeat(32)]), book, sent), []);
  assert.deepEqual(takePart({ ...sealedScene("c1"), you: null }, book, sent), []);
});

test("a hash that the room took must be used, sealed or not", () => {
  for (const next of [sealedScene("c1", [null]), scene({ hand: 1, commitment: "c1", seed_for: 2 })]) {
    const { book, kept, sent } = table();
    takePart(SCENE as unknown as Scene, book, sent);
    sent.taken.add(seedId("offer", 1, SEED));
    takePart(next, book, sent);
    assert.equal(kept.get(1)?.seed, SEED);
  }
});

test("hands and the longest board are noted, the commitment as it was first told", () => {
  const { book, kept, sent } = table();
  const seat = (at: number, hand: string[]) => ({ seat: at, hand });
  const playing = (board: string[], ...seats: object[]) =>
    scene({ hand: 1, commitment: "c1", seed_for: null, table: { type: "holdem", board }, seats });
  takePart(playing([], seat(0, ["As", "Kd"]), seat(1, [])), book, sent);
  takePart(playing(["2c", "3c", "4c"], seat(0, ["As", "Kd"]), seat(1, [])), book, sent);
  takePart({ ...playing([], seat(0, []), seat(1, ["Qs", "Qd"])), commitment: "c2" }, book, sent);
  assert.deepEqual(kept.get(1), {
    commitment: "c1",
    seat: 0,
    seed: null,
    hands: [
      { seat: 0, cards: ["As", "Kd"] },
      { seat: 1, cards: ["Qs", "Qd"] },
    ],
    board: ["2c", "3c", "4c"],
  });
});
