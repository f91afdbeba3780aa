// All hands of a range in a table that can be sorted by any column and filtered by a typed hand.

import { useMemo, useState } from "preact/hooks";
import { amountText, type Column, matches, percentText, rankOrder, sorted, type StudyHand } from "../../logic/study.ts";
import type { NodeView } from "../../wire.ts";
import { CardWords } from "../Card.tsx";

const FIRST = 60; // rows shown at first

interface Shown extends Column {
  readonly head: string;
  readonly hint: string;
  readonly text: (hand: StudyHand) => string;
}

export function HandTable({ node, seat, hands }: { node: NodeView; seat: number; hands: readonly StudyHand[] }) {
  const columns = useMemo(() => columnsOf(node, seat), [node, seat]);
  const [by, setBy] = useState({ key: "weight", down: true });
  const [typed, setTyped] = useState("");
  const [all, setAll] = useState(false);
  const column = columns.find((each) => each.key === by.key) ?? columns[1]!;
  const rows = useMemo(
    () => sorted(hands.filter((hand) => matches(hand, typed)), column, by.down),
    [hands, typed, column, by.down],
  );
  const shown = all ? rows : rows.slice(0, FIRST);
  return (
    <section class="hand-table" aria-labelledby="hands-title">
      <header>
        <h2 id="hands-title">Hands, {node.seats[seat]!.name}</h2>
        <label>
          <span>Filter</span>
          <input value={typed} placeholder="AK, 77, As…" onInput={(event) => setTyped(event.currentTarget.value)} />
        </label>
      </header>
      {rows.length === 0 ? (
        <p class="soft">No hand of this range matches “{typed}”. Write a hand such as AK, AKs, 77 or AsKs.</p>
      ) : (
        <div class="table-scroll" tabIndex={0} role="region" aria-label="table of hands">
          <table>
            <thead>
              <tr>
                {columns.map((each) => (
                  <th
                    key={each.key}
                    scope="col"
                    aria-sort={each.key === column.key ? (by.down ? "descending" : "ascending") : undefined}
                  >
                    <button
                      type="button"
                      title={each.hint}
                      onClick={() => setBy({ key: each.key, down: by.key === each.key ? !by.down : each.key !== "hand" })}
                    >
                      {each.head}
                      <span aria-hidden="true">{each.key === column.key ? (by.down ? " ↓" : " ↑") : ""}</span>
                    </button>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map((hand) => (
                <tr key={hand.name}>
                  <th scope="row">
                    <CardWords card={hand.name.slice(0, 2)} />
                    <CardWords card={hand.name.slice(2)} />
                  </th>
                  {columns.slice(1).map((each) => (
                    <td key={each.key}>{each.text(hand)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {rows.length > shown.length && (
        <button type="button" class="quiet strong" onClick={() => setAll(true)}>
          Show all {rows.length} hands
        </button>
      )}
    </section>
  );
}

function columnsOf(node: NodeView, seat: number): Shown[] {
  const moves = node.seat === seat ? node.moves : [];
  const number = (key: string, head: string, hint: string, value: (hand: StudyHand) => number | null, text = amountText): Shown => ({
    key,
    head,
    hint,
    value,
    text: (hand) => text(value(hand)),
  });
  const ofPot = (hand: StudyHand) => (hand.ev === null || !hand.equity ? null : hand.ev / (hand.equity * node.pot));
  return [
    { key: "hand", head: "hand", hint: "sort by rank", value: rankOrder, text: (hand) => hand.name },
    number("weight", "weight", "in the range, times the probability that its own moves lead here", (hand) => hand.weight, percentText),
    number("equity", "equity", "share of the pot without further betting", (hand) => hand.equity, percentText),
    number("ev", `EV, ${node.unit}`, "what the hand ends with from here on, the pot included", (hand) => hand.ev),
    number("eqr", "EQR", "equity realised: EV / (equity × pot)", ofPot, (share) => percentText(share, 0)),
    ...moves.flatMap((move, at) => [
      number(`share-${at}`, move.name, `how often the hand makes the move ${move.name}`, (hand) => hand.shares[at] ?? null, percentText),
      number(`ev-${at}`, "its EV", `EV of ${move.name} in ${node.unit}`, (hand) => hand.evs[at] ?? null),
    ]),
  ];
}
