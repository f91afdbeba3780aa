// The next cards as a grid, coloured by how often a move is made after each, or by an EV; pressing a card deals it.

import { useEffect, useRef, useState } from "preact/hooks";
import { cardFace } from "../../logic/cards.ts";
import { amountText, moveWords, percentText, placeOf, RANKS, SUITS } from "../../logic/study.ts";
import { askRunouts } from "../../store/study.ts";
import type { NodeView, RunoutCard, RunoutsView } from "../../wire.ts";
import { SuitSign } from "../Card.tsx";
import { gridStep } from "./keys.ts";

interface Props {
  readonly spot: string;
  readonly line: readonly string[];
  readonly node: NodeView;
  readonly walk: (line: readonly string[]) => void;
}
const EVS = ["EV out of position", "EV in position"];

export function RunoutGrid({ spot, line, node, walk }: Props) {
  const [runouts, why] = useRunouts(spot, line);
  const [by, setBy] = useState(0); // a move, or after the moves the EV of a seat
  const [at, setAt] = useState(0);
  const grid = useRef<HTMLDivElement>(null);
  const moves = runouts?.moves ?? [];
  const valueOf = (card: RunoutCard) => (by < moves.length ? card.frequencies[by]! : (card.evs[by - moves.length] ?? null));
  const values = runouts?.cards.map(valueOf) ?? [];
  const known = values.filter((value): value is number => value !== null);
  const text = (value: number | null) =>
    value === null ? "…" : by < moves.length ? percentText(value, 0) : amountText(value);
  const keys = (event: KeyboardEvent) => {
    if (!event.key.startsWith("Arrow")) return;
    event.preventDefault();
    const next = gridStep(event.key, at, 13, 52);
    setAt(next);
    (grid.current?.querySelectorAll("button")[next] as HTMLElement).focus();
  };
  const names = [...moves.map((move) => moveWords(move)[0]), ...EVS];
  return (
    <section class="runouts" aria-labelledby="runouts-title">
      <h2 id="runouts-title">Next card</h2>
      {why && (
        <p class="wrong" role="alert">
          {why}
        </p>
      )}
      <label class="runouts-by">
        <span>Coloured by</span>
        <select value={by} onChange={(event) => setBy(Number(event.currentTarget.value))}>
          {names.map((name, number) => (
            <option key={name} value={number}>
              {number < moves.length ? `how often out of position makes: ${name}` : `${name}, ${node.unit}`}
            </option>
          ))}
        </select>
      </label>
      <div ref={grid} class="runout-grid" role="group" aria-label="next cards; arrow keys move, Enter deals" data-arrows onKeyDown={keys}>
        {[...SUITS].flatMap((suit, row) =>
          [...RANKS].map((rank, column) => {
            const card = runouts?.cards.find((each) => each.card === rank + suit);
            const value = card ? valueOf(card) : null;
            const here = 13 * row + column;
            const free = !node.board.includes(rank + suit);
            return (
              <button
                key={rank + suit}
                type="button"
                class={`runout runout-${suit}`}
                tabIndex={here === at ? 0 : -1}
                aria-disabled={!free}
                onClick={() => free && walk([...line, rank + suit])}
                onFocus={() => setAt(here)}
              >
                <i class={value === null ? "" : "paint-scale"} style={{ "--at": value === null ? 0 : placeOf(value, values) }} />
                <span class="hidden">
                  {cardFace(rank + suit).name}: {free ? names[by] : "on the board"}
                </span>
                <b aria-hidden="true">
                  {rank}
                  <SuitSign suit={suit as "s" | "h" | "d" | "c"} />
                </b>
                <small>{free ? text(value) : ""}</small>
              </button>
            );
          }),
        )}
      </div>
      <p class="soft">
        {known.length > 0 && `Dark is the smallest value (${text(Math.min(...known))}), bright the largest (${text(Math.max(...known))}). `}
        Press a card to deal it.
      </p>
    </section>
  );
}

/** The cards with frequencies, and then with EVs. */
function useRunouts(spot: string, line: readonly string[]): [RunoutsView | undefined, string] {
  const [runouts, setRunouts] = useState<RunoutsView>();
  const [why, setWhy] = useState("");
  useEffect(() => {
    let gone = false;
    const keep = (next: RunoutsView) => {
      if (!gone) setRunouts(next);
    };
    const fail = (error: Error) => {
      if (!gone) setWhy(error.message);
    };
    askRunouts(spot, line, false).then((next) => {
      keep(next);
      if (!gone) askRunouts(spot, line, true).then(keep, fail);
    }, fail);
    return () => {
      gone = true;
    };
  }, [spot, line.join()]);
  return [runouts, why];
}
