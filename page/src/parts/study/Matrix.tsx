// The 13x13 matrix: a cell is filled by its weight; in the strategy its pieces are as wide as the moves' frequencies.

import { useMemo, useRef, useState } from "preact/hooks";
import { amountText, type Cell, moveWords, paints, percentText, placeOf, type Tab } from "../../logic/study.ts";
import type { NodeView } from "../../wire.ts";
import { gridStep } from "./keys.ts";

interface Props {
  readonly node: NodeView;
  readonly seat: number;
  readonly cells: readonly Cell[];
  readonly tab: Tab;
  readonly pinned: string;
  readonly pin: (name: string) => void;
  readonly point: (name: string) => void;
}

export function Matrix({ node, seat, cells, tab, pinned, pin, point }: Props) {
  const [at, setAt] = useState(0);
  const grid = useRef<HTMLDivElement>(null);
  const colours = paints(node.moves);
  const most = Math.max(...cells.map((cell) => cell.weight), 1e-9);
  const values = useMemo(() => cells.map((cell) => (tab === "ev" ? cell.ev : tab === "equity" ? cell.equity : null)), [cells, tab]);
  const keys = (event: KeyboardEvent) => {
    const next = gridStep(event.key, at, 13, 169);
    if (!event.key.startsWith("Arrow")) return;
    event.preventDefault();
    setAt(next);
    (grid.current?.querySelectorAll("button")[next] as HTMLElement).focus();
  };
  return (
    <figure class="matrix-box">
      <figcaption>
        {node.seats[seat]!.name}
        {tab === "strategy" && node.seat !== seat && node.seat !== null && ": weights, since the other seat acts"}
      </figcaption>
      <div
        ref={grid}
        class="matrix"
        role="group"
        aria-label={`${node.seats[seat]!.name}, 169 starting hands; arrow keys move, Enter keeps a hand`}
        data-arrows
        onKeyDown={keys}
        onMouseLeave={() => point("")}
      >
        {cells.map((cell, number) => (
          <button
            key={cell.name}
            type="button"
            class={`cell${cell.weight ? "" : " cell-empty"}${cell.name === pinned ? " cell-pinned" : ""}`}
            tabIndex={number === at ? 0 : -1}
            aria-pressed={cell.name === pinned}
            onClick={() => (setAt(number), pin(cell.name))}
            onMouseEnter={() => point(cell.name)}
            onFocus={() => point(cell.name)}
            onBlur={() => point("")}
          >
            <span class="cell-fill" style={{ height: `${(100 * cell.weight) / most}%` }}>
              {pieces(cell, tab, colours, values[number] ?? null, values)}
            </span>
            <span class="cell-name">{cell.name}</span>
            <span class="hidden">{cellWords(cell, node)}</span>
            <span class="cell-value" aria-hidden="true">
              {cell.weight ? valueText(cell, tab) : ""}
            </span>
          </button>
        ))}
      </div>
    </figure>
  );
}

function pieces(cell: Cell, tab: Tab, colours: readonly string[], value: number | null, values: readonly (number | null)[]) {
  if (tab === "strategy" && cell.shares.length)
    return cell.shares.map((share, move) => <i key={move} class={colours[move]} style={{ width: `${100 * share}%` }} />);
  if (value === null) return <i class="paint-weight" style={{ width: "100%" }} />;
  return <i class="paint-scale" style={{ width: "100%", "--at": placeOf(value, values) }} />;
}

function valueText(cell: Cell, tab: Tab): string {
  if (tab === "ev") return cell.ev === null ? "" : Math.abs(cell.ev) >= 100 ? cell.ev.toFixed(0) : cell.ev.toFixed(1);
  if (tab === "equity") return cell.equity === null ? "" : (100 * cell.equity).toFixed(0);
  return tab === "weights" ? (100 * cell.weight).toFixed(0) : "";
}

/** What a screen reader says after the name of a cell. */
function cellWords(cell: Cell, node: NodeView): string {
  if (!cell.weight) return ": not in the range";
  const moves = cell.shares.map((share, at) => `${moveWords(node.moves[at]!)[0]} ${percentText(share, 0)}`);
  const figures = cell.ev === null ? [] : [`EV ${amountText(cell.ev)} ${node.unit}`, `equity ${percentText(cell.equity, 0)}`];
  return `: weight ${percentText(cell.weight, 0)}, ${[...moves, ...figures].join(", ")}`;
}
