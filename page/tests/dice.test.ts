import assert from "node:assert/strict";
import { test } from "node:test";
import { atLeast, bidChance, bidWords, matching } from "../src/logic/dice.ts";

test("bids are said as people say them", () => {
  assert.deepEqual(
    [
      { count: 1, face: 6 },
      { count: 2, face: 6 },
      { count: 3, face: 1 },
    ].map(bidWords),
    ["1 six", "2 sixes", "3 aces"],
  );
});

test("aces count for every face, but not in palifico", () => {
  assert.equal(matching([1, 3, 3, 5], 3, true), 3);
  assert.equal(matching([1, 3, 3, 5], 3, false), 2);
  assert.equal(matching([1, 3, 3, 5], 1, true), 1);
});

test("chances are those of counting every roll", () => {
  // 2 hidden dice, wild: at least one of {1, 5} in 36 rolls is 36 - 16 = 20.
  assert.ok(Math.abs(bidChance({ count: 2, face: 5 }, [5], 2, true) - 20 / 36) < 1e-12);
  assert.ok(Math.abs(bidChance({ count: 2, face: 5 }, [5], 2, false) - 11 / 36) < 1e-12);
  assert.ok(Math.abs(bidChance({ count: 1, face: 1 }, [5], 2, true) - 11 / 36) < 1e-12);
});

test("what I hold is certain, more than there are dice is not possible", () => {
  assert.equal(bidChance({ count: 2, face: 5 }, [5, 1], 6, true), 1);
  assert.equal(bidChance({ count: 9, face: 5 }, [5, 1], 6, true), 0);
  assert.equal(atLeast(3, 2, 0.5), 0);
});
