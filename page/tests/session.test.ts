import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, clockLeft, hear, isSent, NOTHING_KNOWN, type Request, type Session } from "../src/logic/session.ts";
import { linkWords } from "../src/logic/words.ts";
import type { Event as RoomEvent, Frame, Scene } from "../src/wire.ts";

const SCENE = {
  room: "r",
  title: "",
  game: "nlhe",
  hand: 3,
  phase: "playing",
  why: "",
  host: 0,
  you: 0,
  seats: [],
  table: null,
  turn: { seat: 0, at: 4, left: 10000, whole: 30000, bank: 20000, grace: 0 },
  choices: null,
  muck: true,
  may_rebuy: false,
  commitment: "",
  news: null,
  match: null,
  bans: [],
  seed_for: null,
  sealed: null,
} satisfies Scene;

const event = (number: number): RoomEvent => ({
  number,
  hand: 3,
  kind: "act",
  seat: 1,
  words: `event ${number}`,
  cards: [],
  chips: 0,
  at: null,
});
const frame = (numbers: number[], number = Math.max(0, ...numbers)): Frame => ({
  v: 2,
  type: "frame",
  number,
  gap: false,
  events: numbers.map(event),
  scene: SCENE,
  ending: [],
});
const act = (id: string, at = 4): Request => ({ v: 2, type: "act", id, hand: 3, at, action: 241 });
const numbers = (session: Session) => session.events.map((each) => each.number);

test("an event is told once, though frames overlap or come twice", () => {
  let session = hear(NOTHING_KNOWN, frame([1, 2, 3]), 0);
  session = hear(session, frame([2, 3, 4]), 1);
  session = hear(session, frame([1, 2, 3]), 2);
  assert.deepEqual(numbers(session), [1, 2, 3, 4]);
  assert.equal(session.seen, 4);
});

test("a double click sends one action", () => {
  const once = ask(hear(NOTHING_KNOWN, frame([1]), 0), act("a"), "raise to 240");
  const twice = ask(once, act("b"), "raise to 240");
  assert.equal(twice, once);
  assert.ok(isSent(twice));
});

test("the next turn's action is another one", () => {
  const session = ask(ask(NOTHING_KNOWN, act("a"), "call"), act("b", 5), "call");
  assert.equal(session.pending.length, 2);
});

test("a request stays until it is acknowledged, by its own id", () => {
  let session = ask(NOTHING_KNOWN, act("a"), "raise to 240");
  session = hear(session, { v: 2, type: "ack", id: "other", number: 9, note: "" }, 0);
  assert.equal(session.pending.length, 1);
  session = hear(session, { v: 2, type: "ack", id: "a", number: 9, note: "" }, 0);
  assert.equal(session.pending.length, 0);
  assert.equal(session.saved, "raise to 240");
});

test("a refused request goes, and says why; the next one clears it", () => {
  let session = hear(
    ask(NOTHING_KNOWN, act("a"), "call"),
    { v: 2, type: "refused", id: "a", why: "it is not your turn" },
    0,
  );
  assert.equal(session.pending.length, 0);
  assert.equal(session.refused, "it is not your turn");
  session = ask(session, act("b"), "call");
  assert.equal(session.refused, "");
});

test("a lost connection says what was kept", () => {
  const lost = { kind: "lost", retryIn: 3 } as const;
  const sent = ask(NOTHING_KNOWN, act("a"), "raise to 240");
  assert.equal(linkWords(lost, sent), "Connection lost. Your raise to 240 will be sent again. Reconnecting, 3 s");
  const saved = hear(sent, { v: 2, type: "ack", id: "a", number: 1, note: "" }, 0);
  assert.equal(linkWords(lost, saved), "Connection lost. Your raise to 240 was saved. Reconnecting, 3 s");
});

test("the clock runs first, then the time bank", () => {
  assert.deepEqual(clockLeft(SCENE, 1000, 1000), { share: 1 / 3, left: 10000, bank: 20000, inBank: false, away: false });
  assert.equal(clockLeft(SCENE, 1000, 5000)!.left, 6000);
  assert.deepEqual(clockLeft(SCENE, 1000, 14000), { share: 0, left: 0, bank: 17000, inBank: true, away: false });
  assert.equal(clockLeft(SCENE, 1000, 99000)!.bank, 0);
});

test("the clock stands while the room is paused", () => {
  assert.equal(clockLeft({ ...SCENE, phase: "paused" }, 1000, 9000)!.left, 10000);
});

test("without a clock there is no ring to run", () => {
  assert.equal(clockLeft({ ...SCENE, turn: { ...SCENE.turn, left: null, whole: null } }, 0, 0), undefined);
});
