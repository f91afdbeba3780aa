import assert from "node:assert/strict";
import { test } from "node:test";
import { spokenEvent } from "../src/logic/announce.ts";
import { inviteLink } from "../src/logic/invite.ts";
import { ask, hear, isSent, NOTHING_KNOWN, shownBy } from "../src/logic/session.ts";
import { stepped, type Betting } from "../src/logic/sizing.ts";
import type { EndStep, Event as RoomEvent, Frame, Scene } from "../src/wire.ts";

const scene = (hand: number, more: Partial<Scene> = {}) =>
  ({ game: "nlhe", hand, you: 0, seats: [{ hand: ["As", "Kd"] }], turn: null, ...more }) as unknown as Scene;
const event = (number: number, more: Partial<RoomEvent> = {}): RoomEvent => ({
  number,
  hand: 1,
  kind: "act",
  seat: null,
  words: `event ${number}`,
  cards: [],
  chips: 0,
  at: null,
  ...more,
});
const step = (number: number, milliseconds: number): EndStep => ({
  number,
  milliseconds,
  scene: scene(1, { why: `moment ${number}` }),
});
const frame = (events: RoomEvent[], ending: EndStep[] = [], now = scene(1)): Frame => ({
  v: 2,
  type: "frame",
  number: Math.max(0, ...events.map((each) => each.number)),
  gap: false,
  events,
  scene: now,
  ending,
});
const before = hear(NOTHING_KNOWN, frame([event(1)]), 0);
const over = hear(before, frame([event(2), event(3), event(4, { kind: "chat" })], [step(2, 1000), step(3, 500)]), 10);
const shown = (at: number) => shownBy(over, over.scene!, at);

test("the moments of a hand's end are shown one after another, then the room as it is", () => {
  assert.deepEqual(
    [10, 1009, 1010, 1509, 1510].map((at) => shown(at).scene.why),
    ["moment 2", "moment 2", "moment 3", "moment 3", undefined],
  );
  assert.equal(shown(10).next, 1000);
  assert.equal(shown(1510).next, undefined);
});

test("the log tells no more than the moment shows, but what is said is heard at once", () => {
  assert.deepEqual(
    shown(10).events.map((each) => each.number),
    [1, 2, 4],
  );
});

test("who was not there before sees how it ended", () => {
  const late = hear(NOTHING_KNOWN, frame([event(2), event(3)], [step(2, 1000), step(3, 500)]), 0);
  assert.equal(shownBy(late, late.scene!, 0).next, undefined);
});

test("what was seen already is not shown again", () => {
  const half = hear(hear(before, frame([event(2)]), 5), frame([event(3)], [step(2, 1000), step(3, 500)]), 10);
  assert.equal(shownBy(half, half.scene!, 10).scene.why, "moment 3");
});

test("the next hand ends what is shown of the last", () => {
  const next = hear(over, frame([event(5, { hand: 2 })], [], scene(2)), 20);
  assert.equal(shownBy(next, next.scene!, 20).scene.hand, 2);
});

test("nobody is asked again for an action that the server has", () => {
  const turn = { seat: 0, at: 4, left: null, whole: null, bank: 0, grace: 0 };
  let session = hear(NOTHING_KNOWN, frame([event(1)], [], scene(1, { turn })), 0);
  session = ask(session, { v: 2, type: "act", id: "a", hand: 1, at: 4, action: 1 }, "call");
  session = hear(session, { v: 2, type: "ack", id: "a", number: 2, note: "" }, 1);
  assert.ok(isSent(session));
  session = hear(session, frame([event(2)], [], scene(1, { turn: { ...turn, at: 5 } })), 2);
  assert.ok(!isSent(session));
});

test("events are said with cards by name, of a street only the new ones", () => {
  const board = ["Ah", "8s", "6d", "3c"];
  const say = (more: Partial<RoomEvent>) => spokenEvent(event(1, more), scene(1));
  assert.equal(say({ kind: "board", words: "The turn: Ah 8s 6d 3c", cards: board }), "The turn: three of clubs");
  assert.equal(
    say({ kind: "deal", words: "Hand 1" }),
    "Hand 1. Your cards: ace of spades and king of diamonds",
  );
  assert.equal(
    say({ kind: "show", words: "Ben shows Ac Qd, pair of aces", cards: ["Ac", "Qd"] }),
    "Ben shows ace of clubs queen of diamonds, pair of aces",
  );
});

test("an invitation is a link that works on other machines, or none", () => {
  const here = { hostname: "localhost", href: "http://localhost:8723/room/a", pathname: "/room/a" };
  assert.equal(inviteLink(here, null), undefined);
  assert.equal(inviteLink(here, "http://192.168.1.5:8723"), "http://192.168.1.5:8723/room/a");
  const there = { ...here, hostname: "192.168.1.5", href: "http://192.168.1.5:8723/room/a" };
  assert.equal(inviteLink(there, null), there.href);
});

test("keys on the slider step by big blinds within the limits", () => {
  const betting: Betting = { pot: 3, bet: 2, toCall: 2, least: 4, most: 30, bigBlind: 2, fixed: false };
  assert.deepEqual(
    ["ArrowRight", "ArrowLeft", "PageUp", "Home", "End", "x"].map((key) => stepped(betting, 8, key)),
    [10, 6, 18, 4, 30, undefined],
  );
});
