import assert from "node:assert/strict";
import { test } from "node:test";
import { cardFace, splitCards } from "../src/logic/cards.ts";
import { intentOf } from "../src/logic/keys.ts";
import { pathOf, routeOf } from "../src/logic/route.ts";
import type { Scene } from "../src/wire.ts";
import { seatPlace } from "../src/logic/seats.ts";
import { actionKind, listed, percent, signed, turnWords } from "../src/logic/words.ts";

const press = (key: string, typing = false, modified = false) => ({ key, typing, modified });

test("keys mean what the list of keys says", () => {
  assert.deepEqual(intentOf(press("f"), "cards"), { kind: "fold" });
  assert.deepEqual(intentOf(press("F"), "cards"), { kind: "fold" });
  assert.deepEqual(intentOf(press("3"), "cards"), { kind: "preset", at: 2 });
  assert.equal(intentOf(press("6"), "cards"), undefined);
  assert.deepEqual(intentOf(press("6"), "dice"), { kind: "preset", at: 5 });
  assert.deepEqual(intentOf(press("c"), "dice"), { kind: "calza" });
});

test("letters typed in a field, or with Ctrl, are no action", () => {
  for (const key of ["f", "c", "a", "1", "Enter", "?"])
    assert.equal(intentOf(press(key, true), "cards"), undefined, key);
  assert.equal(intentOf(press("c", false, true), "cards"), undefined);
  assert.deepEqual(intentOf(press("Escape", true), "cards"), { kind: "cancel" });
});

test("your seat is at the bottom, wherever you sit, and no two seats share a place", () => {
  for (let seats = 2; seats <= 9; seats += 1) {
    for (let you = 0; you < seats; you += 1) {
      const places = Array.from({ length: seats }, (_, seat) => seatPlace(seat, seats, you));
      assert.ok(places[you]!.y > 99 && Math.abs(places[you]!.x - 50) < 1e-6);
      assert.equal(new Set(places.map(({ x, y }) => `${x.toFixed(3)} ${y.toFixed(3)}`)).size, seats);
      assert.ok(places.every(({ x, y }) => x >= 0 && x <= 100 && y >= 0 && y <= 100));
    }
  }
});

test("the next seat sits on your left, as at a table", () => {
  assert.ok(seatPlace(1, 6, 0).x < 50);
});

test("cards are read, and what is no card is an error", () => {
  assert.deepEqual(cardFace("Td"), { rank: "10", suit: "d", name: "ten of diamonds" });
  assert.throws(() => cardFace("1s"));
  assert.throws(() => cardFace("Ax"));
  assert.deepEqual(splitCards("AsKd 2c"), ["As", "Kd", "2c"]);
});

test("every address leads to its page and back", () => {
  for (const path of ["/", "/new", "/rooms", "/room/ab%2F1", "/history", "/history/x", "/history/x/12", "/fair"]) {
    assert.equal(pathOf(routeOf(path)), path);
    assert.notEqual(routeOf(path).page, "lost", path);
  }
  for (const path of ["/nowhere", "/room", "/history/x/last", "/room/a/b"])
    assert.equal(routeOf(path).page, "lost", path);
});

test("words tell the kind of an action", () => {
  const said = {
    "Ana folds": "fold",
    checks: "call",
    "calls 20": "call",
    "raises to 60": "bet",
    "bets 20": "bet",
    "is all-in for 60": "all-in",
    "raises to 200, all-in": "all-in",
    dudo: "dudo",
    calza: "calza",
    "3 fives": "bid",
    "posts 2": "other",
  };
  for (const [words, kind] of Object.entries(said)) assert.equal(actionKind(words), kind, words);
});

test("results carry their sign, lists their and, shares their limits", () => {
  assert.deepEqual([signed(0), signed(1200), signed(-3)], ["0", "+1,200", "−3"]);
  assert.equal(listed(["Ana", "Ben", "Cleo"]), "Ana, Ben and Cleo");
  assert.deepEqual([0, 0.004, 0.5, 0.999, 1].map(percent), ["0%", "<1%", "50%", ">99%", "100%"]);
});

test("whose turn it is hears what there is to decide", () => {
  const table = { type: "holdem", board: [], street: "flop", button: 0, blinds: [1, 2], pot: 1290, pots: [], bet: 20 };
  const choices = { type: "holdem" as const, fold: true, call: 20, call_all_in: false, least: null, most: null, sizes: [] };
  const scene = { table, choices } as unknown as Scene;
  assert.equal(turnWords(scene), "Your turn: 20 to call, the pot is 1,290.");
  assert.match(turnWords({ ...scene, choices: { ...choices, call: 0 } }), /you may check/);
  const perudo = {
    type: "perudo" as const,
    total: 12,
    wild: true,
    palifico: false,
    standing: { action: 1, count: 3, face: 6, seat: 1 },
    bids: [],
  };
  assert.equal(turnWords({ ...scene, table: perudo, choices: null }), "Your turn: the bid is 3 sixes, of 12 dice.");
});
