// Study: cells of the matrix, means of hands, colours, the order of the table.

import assert from "node:assert/strict";
import { test } from "node:test";
import { cellAt, cellName, cellsOf, combosLeft, handsOf, matches, moveWords, paints, rankOrder, sorted } from "../src/logic/study.ts";
import { pathOf, routeOf } from "../src/logic/route.ts";
import type { MoveView, NodeView } from "../src/wire.ts";

const move = (name: string, kind: MoveView["kind"], share: number | null): MoveView => ({
  name, kind, amount: share === null ? "" : "10", share, frequency: 0.5, combos: 1, ev: 1, then: "",
});

const node = {
  seat: 0,
  board: ["Td", "9d", "6h"],
  moves: [move("check", "check", null), move("bet10", "bet", 0.5)],
  strategy: [[1000, 500, 0], [0, 500, 1000]],
  move_evs: [[1, 2, 3], [4, 5, 6]],
  seats: [
    { name: "out of position", ev: 1, equity: 0.5, realized: 1, combos: 3, hands: "AsAhAsAdKsQs", weight: [1, 0.5, 1], evs: [2, 5, null], equities: [800, 900, 400] },
    { name: "in position", ev: 1, equity: 0.5, realized: 1, combos: 0, hands: "", weight: [], evs: [], equities: [] },
  ],
} as unknown as NodeView;

test("a hand is in the cell of its ranks, suited above the diagonal", () => {
  assert.deepEqual(["AsKs", "KhAd", "7d7c", "2c3c"].map(cellName), ["AKs", "AKo", "77", "32s"]);
  const names = new Set([...Array(169).keys()].map((at) => cellAt(Math.floor(at / 13), at % 13)));
  assert.equal(names.size, 169);
  assert.equal(cellAt(0, 1), "AKs");
  assert.equal(cellAt(1, 0), "AKo");
});

test("the board takes combos away from a cell", () => {
  assert.deepEqual(["AA", "TT", "T9s", "T9o", "AKs", "AKo"].map((name) => combosLeft(name, node.board)), [6, 3, 3, 6, 4, 12]);
});

test("a cell is the mean of its hands by weight", () => {
  const cells = cellsOf(handsOf(node, 0), node.board);
  const aces = cells.find((cell) => cell.name === "AA")!;
  assert.equal(aces.weight, 1.5 / 6);
  assert.deepEqual(aces.shares.map((share) => +share.toFixed(4)), [0.8333, 0.1667]);
  assert.equal(aces.ev, 3);
  assert.equal(cells.find((cell) => cell.name === "KQs")!.ev, null);
  assert.equal(cells.find((cell) => cell.name === "22")!.weight, 0);
});

test("bets are coloured by size, checks and folds by kind", () => {
  const moves = [move("fold", "fold", null), move("call", "call", null), move("raise30", "raise", 0.5), move("raise60", "raise", 1), move("all-in", "all-in", 3)];
  assert.deepEqual(paints(moves), ["paint-fold", "paint-call", "paint-heat-0", "paint-heat-2", "paint-heat-4"]);
  assert.deepEqual(moveWords(moves[3]!), ["Raise 10", "100% of the pot"]);
});

test("hands without a value come last in either direction", () => {
  const column = { key: "ev", value: (hand: { ev: number | null }) => hand.ev };
  const hands = handsOf(node, 0);
  assert.deepEqual(sorted(hands, column, true).map((hand) => hand.name), ["AsAd", "AsAh", "KsQs"]);
  assert.deepEqual(sorted(hands, column, false).map((hand) => hand.name), ["AsAh", "AsAd", "KsQs"]);
  assert.ok(rankOrder(hands[0]!) < rankOrder(hands[2]!));
});

test("a typed hand filters the table", () => {
  const hands = handsOf(node, 0);
  const names = (typed: string) => hands.filter((hand) => matches(hand, typed)).map((hand) => hand.name);
  assert.deepEqual(names(" aa "), ["AsAh", "AsAd"]);
  assert.deepEqual(names("ad"), ["AsAd"]);
  assert.deepEqual(names("KQs"), ["KsQs"]);
  assert.deepEqual(names("72"), []);
});

test("the address of a node has its moves and cards", () => {
  const route = { page: "spot", spot: "my-spot", line: ["check", "bet2.75bb", "2c"] } as const;
  assert.equal(pathOf(route), "/study/my-spot/check/bet2.75bb/2c");
  assert.deepEqual(routeOf(pathOf(route)), route);
});
