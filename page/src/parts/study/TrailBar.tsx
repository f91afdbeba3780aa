// The way to a node: every decision with its moves and every card, all of which can be clicked.

import { useLayoutEffect, useRef } from "preact/hooks";
import { pathOf } from "../../logic/route.ts";
import type { NodeView, TrailStep } from "../../wire.ts";
import { CardWords } from "../Card.tsx";
import { Link } from "../Link.tsx";

interface Props {
  readonly node: NodeView;
  readonly line: readonly string[];
  readonly walk: (line: readonly string[]) => void;
}

export function TrailBar({ node, line, walk }: Props) {
  const list = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => {
    if (list.current) list.current.scrollLeft = list.current.scrollWidth; // on a phone the last step is in sight
  }, [node]);
  return (
    <nav class="trail" aria-label="the way here">
      <ol ref={list}>
        {node.trail.map((step, at) => (
          <Step key={at} spot={node.spot} step={step} before={line.slice(0, at)} here={at === line.length} walk={walk} />
        ))}
      </ol>
    </nav>
  );
}

interface StepProps {
  readonly spot: string;
  readonly step: TrailStep;
  readonly before: readonly string[];
  readonly here: boolean;
  readonly walk: (line: readonly string[]) => void;
}

function Step({ spot, step, before, here, walk }: StepProps) {
  const to = pathOf({ page: "spot", spot, line: before });
  const who = step.seat === null ? "card" : step.seat === 0 ? "out of position" : "in position";
  return (
    <li class={`trail-step${here ? " trail-here" : ""}`} aria-current={here ? "step" : undefined}>
      <Link to={to} stay class="trail-who">
        {who}
      </Link>
      {step.kind === "card" ? (
        step.taken && <CardWords card={step.taken} />
      ) : (
        <span class="trail-options">
          {step.options.map((option) => (
            <button
              key={option}
              type="button"
              class={`trail-option${option === step.taken ? " trail-taken" : ""}`}
              aria-pressed={option === step.taken}
              onClick={() => walk([...before, option])}
            >
              {option}
            </button>
          ))}
        </span>
      )}
    </li>
  );
}
