// A node of a solved spot: where it is, what can be done there, both ranges, and the cards that can come.

import { useEffect, useRef, useState } from "preact/hooks";
import { chipsText, lineOf, percentText, type Tab } from "../../logic/study.ts";
import { pathOf } from "../../logic/route.ts";
import { go } from "../../store/navigation.ts";
import { askNode } from "../../store/study.ts";
import type { NodeView, SpotCard } from "../../wire.ts";
import { CardWords } from "../Card.tsx";
import { Link } from "../Link.tsx";
import { Notice } from "../Notice.tsx";
import { Badge } from "./Badge.tsx";
import { Moves, SeatFigures } from "./Moves.tsx";
import { Ranges } from "./Ranges.tsx";
import { RunoutGrid } from "./RunoutGrid.tsx";
import { TrailBar } from "./TrailBar.tsx";
import { followFocus, useStudyKeys } from "./keys.ts";

export function NodePage({ card, line }: { card: SpotCard; line: readonly string[] }) {
  const { node, why, note, again } = useNode(card.spot, line);
  const [tab, setTab] = useState<Tab>("strategy");
  const walk = (next: readonly string[]) => go({ page: "spot", spot: card.spot, line: next }, true);
  useStudyKeys(line, walk);
  const here = node ? lineOf(node) : line; // of the node that is shown, while the next one is loaded
  const shown = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (!node) return;
    if (shown.current !== undefined && shown.current !== here.join()) followFocus();
    shown.current = here.join();
  }, [node]);
  return (
    <div class="study">
      <header class="study-head">
        <h1>{card.name}</h1>
        <Link to="/study">All spots</Link>
      </header>
      {why && (
        <Notice title="This place cannot be shown" error>
          <p>{why}</p>
          <p class="door-do">
            <Link to={pathOf({ page: "spot", spot: card.spot, line: [] })} class="button">
              To its first decision
            </Link>
            <button type="button" class="quiet" onClick={again}>
              Try again
            </button>
          </p>
        </Notice>
      )}
      {!node && !why && (
        <p class="soft" role="status">
          Reading the solution…
        </p>
      )}
      {node && !why && (
        <>
          <TrailBar node={node} line={here} walk={walk} />
          <Where node={node} note={note} />
          <div class="study-body">
            <div class="study-side">
              {node.kind === "decision" && <Moves node={node} take={(move) => walk([...here, move])} />}
              {node.kind === "card" && (
                <RunoutGrid key={here.join()} spot={card.spot} line={here} node={node} walk={walk} />
              )}
              {node.kind === "end" && <End node={node} line={here} walk={walk} />}
              <SeatFigures node={node} />
            </div>
            <Ranges node={node} tab={tab} setTab={setTab} />
          </div>
        </>
      )}
    </div>
  );
}

/** `why`: the node cannot be shown; `note`: its EVs cannot. */
interface Walked {
  readonly node?: NodeView;
  readonly why: string;
  readonly note: string;
}

/** The node at the end of the line, first with frequencies and then with EVs; the last node stays until the next is there. */
function useNode(spot: string, line: readonly string[]): Walked & { again: () => void } {
  const [state, setState] = useState<Walked>({ why: "", note: "" });
  const [times, setTimes] = useState(0);
  useEffect(() => {
    let gone = false;
    const keep = (node: NodeView) => {
      if (!gone) setState({ node, why: "", note: "" });
    };
    const fail = (error: Error) => {
      if (!gone) setState({ why: error.message, note: "" });
    };
    askNode(spot, line, false).then((node) => {
      keep(node);
      const lack = (error: Error) => {
        if (!gone) setState({ node, why: "", note: error.message });
      };
      if (!node.complete && !gone) askNode(spot, line, true).then(keep, lack);
    }, fail);
    return () => {
      gone = true;
    };
  }, [spot, line.join(), times]);
  return { ...state, again: () => setTimes((now) => now + 1) };
}

/** The board, the pot and who decides, also for screen readers. */
function Where({ node, note }: { node: NodeView; note: string }) {
  const acts = node.seat === null ? undefined : node.seats[node.seat]!;
  const reach = node.reach > 0 ? `reached ${percentText(node.reach, node.reach < 0.01 ? 3 : 1)}` : "never reached";
  return (
    <div class="study-where">
      <p class="study-board" aria-label="board">
        {node.board.map((name) => (
          <CardWords key={name} card={name} />
        ))}
      </p>
      <p class="study-state" role="status">
        <b>{acts ? `${capitalized(acts.name)} decides` : node.kind === "card" ? "A card comes" : "The betting is over"}</b>
        <span>
          pot {chipsText(node.pot, node.unit)}
          {node.to_call > 0 && `, ${chipsText(node.to_call, node.unit)} to call`} · stacks{" "}
          {node.stacks.map((stack) => chipsText(stack, node.unit)).join(" and ")} ·{" "}
          <span title="how often the moves of this line are made, given its cards">{reach}</span>
          {!node.complete && ` · ${note ? `no EVs: ${note}` : "counting EVs…"}`}
        </span>
      </p>
      <Badge node={node} />
    </div>
  );
}

function End({ node, line, walk }: { node: NodeView; line: readonly string[]; walk: (line: readonly string[]) => void }) {
  return (
    <div class="study-end">
      <h2>{capitalized(node.outcome)}</h2>
      <p>
        The pot is {chipsText(node.pot, node.unit)}. The ranges beside this are those with which each seat comes here.
      </p>
      <button type="button" class="button" onClick={() => walk(line.slice(0, -1))}>
        One step back
      </button>
    </div>
  );
}

const capitalized = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

