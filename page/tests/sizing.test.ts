import assert from "node:assert/strict";
import { test } from "node:test";
import { grouped, heat, heatStep, placeOf, potRaise, readAmount, slid, type Betting } from "../src/logic/sizing.ts";

const BETTING: Betting = { pot: 90, bet: 30, toCall: 20, least: 60, most: 400, bigBlind: 10, fixed: false };
const LIMIT: Betting = { ...BETTING, least: 40, most: 40, fixed: true };

test("a part of the pot is of the pot as it is after calling", () => {
  assert.equal(potRaise(BETTING, 1), 30 + 110);
  assert.equal(potRaise(BETTING, 0.5), 30 + 55);
});

test("amounts are typed as chips, big blinds or a part of the pot", () => {
  const typed = {
    "120": 120,
    "1,20": 120,
    "12bb": 120,
    "6.05 bb": 61,
    "100%": 140,
    "raise to 240": 240,
    "r 400": 400,
    " 60 ": 60,
  };
  for (const [text, to] of Object.entries(typed)) assert.deepEqual(readAmount(BETTING, text), { to }, text);
});

test("what cannot be raised to is refused with what can", () => {
  for (const text of ["59", "401", "0", "5bb"]) {
    const read = readAmount(BETTING, text);
    assert.ok("wrong" in read && /from 60 to 400/.test(read.wrong), text);
  }
  for (const text of ["", "abc", "-60", "1e9", "60 chips", "60%%"])
    assert.ok("wrong" in readAmount(BETTING, text), text);
});

test("a limit game has one size", () => {
  assert.deepEqual(readAmount(LIMIT, "40"), { to: 40 });
  assert.ok("wrong" in readAmount(LIMIT, "80"));
});

test("the slider reaches both ends, never leaves them, and never turns back", () => {
  assert.equal(slid(BETTING, 0), 60);
  assert.equal(slid(BETTING, 1000), 400);
  let before = 0;
  for (let place = 0; place <= 1000; place += 1) {
    const to = slid(BETTING, place);
    assert.ok(to >= before && to >= 60 && to <= 400);
    before = to;
  }
});

test("the slider stands where the amount is", () => {
  for (const to of [60, 61, 100, 399, 400])
    assert.ok(Math.abs(slid(BETTING, placeOf(BETTING, to)) - to) <= 2, String(to));
  assert.equal(placeOf(LIMIT, 40), 1000);
});

test("a bigger bet is hotter, and none is hotter than the last step", () => {
  assert.ok(heat(BETTING, 60) < heat(BETTING, 120));
  assert.equal(heatStep(heat(BETTING, 4000)), 4);
  assert.equal(heatStep(heat(BETTING, 31)), 0);
});

test("thousands are grouped", () => {
  assert.deepEqual([0, 999, 1000, 1234567, -1500].map(grouped), ["0", "999", "1,000", "1,234,567", "−1,500"]);
});
