import assert from "node:assert/strict";
import { test } from "node:test";
import { firstDraft, mindsFor, withGame, withMind, withSeats, wrongWith, noModel } from "../src/logic/newroom.ts";
import type { House } from "../src/wire.ts";

const mind = (name: string, game: "nlhe" | "perudo") => ({
  mind: name,
  name,
  summary: "",
  games: [game],
  figures: [],
  lines: [],
});
const card = (game: "nlhe" | "perudo", least: number, most: number) => ({
  game,
  title: game,
  least_seats: least,
  most_seats: most,
  rules: [{ name: `${game} rules`, title: "", card: "" }],
});
const HOUSE: House = {
  version: "",
  password: false,
  games: [card("nlhe", 2, 9), card("perudo", 2, 6)],
  minds: [mind("a", "nlhe"), mind("b", "nlhe"), mind("c", "nlhe"), mind("s", "perudo"), mind("t", "perudo")],
  quick: { name: "You", minds: ["a", "b", "c"] },
  llm: null,
};

test("another game seats minds that can play it, and as many as it takes", () => {
  const eight = withSeats(HOUSE, firstDraft(HOUSE), 9);
  const draft = withGame(HOUSE, eight, "perudo");
  const able = mindsFor(HOUSE, "perudo").map((each) => each.mind);
  assert.equal(draft.minds.length, 5);
  assert.equal(draft.rules, "perudo rules");
  assert.ok(draft.minds.every((each) => each !== null && able.includes(each)));
});

test("new seats are filled by whoever is not seated yet", () => {
  const draft = withSeats(HOUSE, { ...firstDraft(HOUSE), minds: ["b"] }, 3);
  assert.deepEqual(draft.minds, ["b", "a"]);
});

test("a language model is switched off with the reason, where there is none and at another game", () => {
  const house = { ...HOUSE, llm: "small" };
  assert.match(noModel(HOUSE, "nlhe"), /--llm/);
  assert.equal(noModel(house, "nlhe"), "");
  assert.equal(withGame(house, { ...firstDraft(house), llm: true }, "perudo").llm, false);
  assert.equal(withGame(house, { ...firstDraft(house), llm: true }, "nlhe").llm, true);
});

test("there are never fewer seats than the game needs", () => {
  assert.equal(withSeats(HOUSE, firstDraft(HOUSE), 1).minds.length, 1);
});

test("what the server would refuse is said before", () => {
  const draft = firstDraft(HOUSE);
  assert.equal(wrongWith(draft), "");
  assert.match(wrongWith({ ...draft, blinds: [5, 2] }), /small blind/);
  assert.match(wrongWith({ ...draft, stack: 3 }), /two big blinds/);
  assert.match(wrongWith(withMind({ ...draft, open_cards: true }, 0, null)), /Open cards/);
});
