// The ranges at a node: tabs, whose range is shown, the matrix, the hands of one cell, and the table of all hands.

import { useMemo, useState } from "preact/hooks";
import { cellsOf, handsOf, type Tab } from "../../logic/study.ts";
import type { NodeView } from "../../wire.ts";
import { CellHands } from "./CellHands.tsx";
import { HandTable } from "./HandTable.tsx";
import { Matrix } from "./Matrix.tsx";

const TABS: readonly (readonly [Tab, string])[] = [
  ["strategy", "Strategy"],
  ["ev", "EV"],
  ["equity", "Equity"],
  ["weights", "Weights"],
];
type Whose = 0 | 1 | "both";

export function Ranges({ node, tab, setTab }: { node: NodeView; tab: Tab; setTab: (tab: Tab) => void }) {
  const [chosen, setChosen] = useState<{ whose: Whose; at: number | null }>();
  const [pinned, setPinned] = useState("");
  const [pointed, setPointed] = useState("");
  const hands = useMemo(() => [handsOf(node, 0), handsOf(node, 1)], [node]);
  const cells = useMemo(() => hands.map((each) => cellsOf(each, node.board)), [node]);
  const whose: Whose = chosen && (chosen.at === node.seat || chosen.whose === "both") ? chosen.whose : ((node.seat as 0 | 1 | null) ?? "both");
  const seats = whose === "both" ? [0, 1] : [whose];
  const first = seats.includes(node.seat ?? 0) ? (node.seat ?? 0) : seats[0]!;
  const shown = pointed || pinned;
  const view: Tab = node.kind === "decision" ? tab : "weights"; // elsewhere there are no other figures
  return (
    <section class="study-ranges" aria-label="ranges">
      <div class="study-controls">
        {node.kind === "decision" && (
        <div role="tablist" aria-label="what the matrix shows" class="study-tabs" data-arrows onKeyDown={(event) => tabKeys(event, tab, setTab)}>
          {TABS.map(([name, words]) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`tab-${name}`}
              aria-selected={tab === name}
              aria-controls="study-panel"
              tabIndex={tab === name ? 0 : -1}
              onClick={() => setTab(name)}
            >
              {words}
            </button>
          ))}
        </div>
        )}
        <div class="study-whose" role="group" aria-label="whose range">
          {([0, 1, "both"] as const).map((each) => (
            <button key={each} type="button" aria-pressed={whose === each} onClick={() => setChosen({ whose: each, at: node.seat })}>
              {each === "both" ? "Both" : node.seats[each]!.name}
            </button>
          ))}
        </div>
      </div>
      <div id="study-panel" {...(node.kind === "decision" && { role: "tabpanel", "aria-labelledby": `tab-${tab}` })} class={`study-panel panel-${seats.length}`}>
        {seats.map((seat) => (
          <Matrix
            key={seat}
            node={node}
            seat={seat}
            cells={cells[seat]!}
            tab={view}
            pinned={pinned}
            pin={(name) => setPinned(pinned === name ? "" : name)}
            point={setPointed}
          />
        ))}
        <CellHands node={node} seat={first} cell={cells[first]!.find((cell) => cell.name === shown)} />
      </div>
      <HandTable key={`${first}`} node={node} seat={first} hands={hands[first]!} />
    </section>
  );
}

/** Arrow keys move between the tabs. */
function tabKeys(event: KeyboardEvent, tab: Tab, setTab: (tab: Tab) => void): void {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  const at = TABS.findIndex(([name]) => name === tab);
  const next = TABS[(at + by + TABS.length) % TABS.length]![0];
  setTab(next);
  document.getElementById(`tab-${next}`)?.focus();
}
