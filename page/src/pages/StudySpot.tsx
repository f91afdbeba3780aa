// One spot of Study: solved first if that is needed, then its nodes.

import { useEffect, useState } from "preact/hooks";
import { percentText, secondsText } from "../logic/study.ts";
import { Asked } from "../parts/Asked.tsx";
import { Link } from "../parts/Link.tsx";
import { Notice } from "../parts/Notice.tsx";
import { NodePage } from "../parts/study/NodePage.tsx";
import { askShelves, askSpot, solveSpot } from "../store/study.ts";
import type { SpotCard } from "../wire.ts";

const AGAIN = 400; // milliseconds between two questions for the progress of a solve

export function StudySpot({ spot, line }: { spot: string; line: readonly string[] }) {
  return (
    <Asked
      ask={() => Promise.all([askSpot(spot), askShelves()])}
      what="the spot"
      again={spot}
      around={(inner) => (
        <>
          <h1 class="hidden">Study</h1>
          {inner}
          <BackToLibrary />
        </>
      )}
    >
      {([card, shelves], reload) =>
        card.state === "solved" ? (
          <NodePage card={card} line={line} />
        ) : (
          <Unsolved first={card} operator={shelves.operator} done={reload} />
        )
      }
    </Asked>
  );
}

const BackToLibrary = () => (
  <p>
    <Link to="/study">All spots</Link>
  </p>
);

/** A spot of the shelf that is solved now, with its progress; only the operator can start that. */
function Unsolved({ first, operator, done }: { first: SpotCard; operator: boolean; done: () => void }) {
  const [card, setCard] = useState(first);
  const [why, setWhy] = useState(first.problem);
  const [times, setTimes] = useState(0);
  const waits = card.state === "waiting" || card.state === "solving";
  useEffect(() => {
    let timer = 0;
    let gone = false;
    const look = (next: SpotCard) => {
      if (gone) return;
      if (next.state === "solved") return done();
      setCard(next);
      setWhy(next.problem);
      if (!next.problem && next.state !== "unreadable") timer = window.setTimeout(() => askSpot(first.spot).then(look, stop), AGAIN);
    };
    const stop = (error: Error) => {
      if (!gone) setWhy(error.message);
    };
    if (operator && first.state !== "unreadable") solveSpot(first.spot).then(look, stop);
    else if (waits) look(first);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [times]);
  return (
    <>
      <h1>{card.name}</h1>
      <p class="soft">{card.about}</p>
      {why ? (
        <Notice title="The spot is not solved" error>
          <p>{why}</p>
          {operator && first.state !== "unreadable" && (
            <button type="button" class="button" onClick={() => (setWhy(""), setTimes(times + 1))}>
              Try again
            </button>
          )}
        </Notice>
      ) : operator || waits ? (
        <Solving card={card} />
      ) : (
        <Notice title="Not solved yet">
          <p>
            This spot is solved when the operator opens it, in a browser on the server’s own machine. Other spots of the
            library may be ready.
          </p>
        </Notice>
      )}
      <BackToLibrary />
    </>
  );
}

function Solving({ card }: { card: SpotCard }) {
  return (
    <div class="solving">
      <label>
        <span>
          {card.state === "solving" ? "Solving it once" : "Waiting for another solve"}; this takes{" "}
          {secondsText(card.seconds)} on an idle machine.
        </span>
        <progress max={1} value={card.state === "solving" ? card.progress : undefined} />
      </label>
      <p class="soft">
        {card.exploitability === null
          ? "Starting the solver…"
          : `${card.iterations} iterations; a best response still wins ${percentText(card.exploitability / 100, 2)} of the pot.`}
      </p>
    </div>
  );
}
