import assert from "node:assert/strict";
import { test } from "node:test";
import { audible, isMuted, speakers } from "../src/logic/mute.ts";
import { ask, hear, NOTHING_KNOWN } from "../src/logic/session.ts";
import type { Event as RoomEvent, Scene, SeatScene } from "../src/wire.ts";

const said = (number: number, words: string, kind: RoomEvent["kind"] = "chat"): RoomEvent => ({
  number,
  hand: 1,
  kind,
  seat: 1,
  words,
  cards: [],
  chips: 0,
  at: null,
});

test("lines of who is muted are left out, and nothing else", () => {
  const events = [
    said(1, "Eve: hello"),
    said(2, "Ana: hello"),
    said(3, "Eve folds", "act"),
    said(4, "Evelyn: hello"),
    said(5, "Eve: again: and again"),
  ];
  assert.deepEqual(
    audible(events, ["Eve"]).map((event) => event.number),
    [2, 3, 4],
  );
  assert.equal(audible(events, []), events);
  assert.ok(!isMuted(said(6, "Eve: is said in the log", "notice"), ["Eve"]));
});

test("everybody else at the table can be muted, bots and those who have left too", () => {
  const seat = (at: number, name: string, state: SeatScene["state"] = "in") =>
    ({ seat: at, name, state, mind: name === "Caller" ? "caller" : null }) as SeatScene;
  const seats = [seat(0, "Ana"), seat(1, "Eve"), seat(2, "Caller"), seat(3, "", "empty")];
  const scene = { you: 0, seats } as unknown as Scene;
  assert.deepEqual(speakers(scene, ["Eve", "Gone"]), ["Eve", "Caller", "Gone"]);
});

test("words that the room refuses come back to be said again, and an action's note is kept", () => {
  const request = { v: 2, type: "say", id: "s", text: "hello" } as const;
  const asked = ask(NOTHING_KNOWN, request, "word");
  const refused = hear(asked, { v: 2, type: "refused", id: "s", why: "too fast" }, 0);
  assert.deepEqual(refused.unsaid, { text: "hello", why: "too fast" });
  assert.equal(refused.refused, "");
  assert.equal(ask(refused, { ...request, id: "t" }, "word").unsaid, undefined);
  const noted = hear(asked, { v: 2, type: "ack", id: "s", number: 3, note: "left out" }, 0);
  assert.equal(noted.note, "left out");
});
