// A finished hand, step by step, as the user's seat saw it.

import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { GAMES } from "../logic/games.ts";
import { pathOf } from "../logic/route.ts";
import { Asked } from "../parts/Asked.tsx";
import { WordsWithCards } from "../parts/Card.tsx";
import { FairCheck } from "../parts/FairCheck.tsx";
import { Felt } from "../parts/Felt.tsx";
import { OddsTable, ThoughtList } from "../parts/LastHand.tsx";
import { Link } from "../parts/Link.tsx";
import { Notice } from "../parts/Notice.tsx";
import { askOdds, askReplay, askThoughts, exportAddress } from "../store/house.ts";
import type { Odds, Replay, Thoughts } from "../wire.ts";

export function ReplayPage({ room, hand }: { room: string; hand: number }) {
  return (
    <div class="replay">
      <Asked ask={() => askReplay(room, hand)} what="the hand" again={`${room} ${hand}`}>
        {(replay) => <Steps key={hand} room={room} replay={replay} />}
      </Asked>
    </div>
  );
}

function Steps({ room, replay }: { room: string; replay: Replay }) {
  const [at, setAt] = useState(0);
  const last = replay.steps.length - 1;
  const step = replay.steps[Math.min(at, last)];
  const by = (steps: number) => setAt((now) => Math.max(0, Math.min(last, now + steps)));
  // A layout effect: the keys work from the moment the steps are shown.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if ((event.target as HTMLElement).matches("input, dialog *")) return;
      if (event.key === "ArrowLeft") by(-1);
      else if (event.key === "ArrowRight") by(1);
      else if (event.key === "Home") setAt(0);
      else if (event.key === "End") setAt(last);
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [last]);
  if (!step) return <Notice title="There is nothing in this hand to step through" />;
  const game = step.scene.game;
  const word = GAMES[game].deal;
  return (
    <>
      <header class="history-head">
        <h1>
          {word} {replay.hand}
        </h1>
        <Link to={pathOf({ page: "hands", room })}>All {word}s of this room</Link>
      </header>
      <Felt scene={step.scene} />
      <p class="step-words" role="status" aria-live="polite">
        <WordsWithCards words={step.event.words} cards={step.event.cards} />
      </p>
      <div class="stepper" role="group" aria-label="steps">
        <button type="button" class="button" onClick={() => setAt(0)} disabled={at === 0} aria-label="to the beginning">
          ⇤
        </button>
        <button type="button" class="button" onClick={() => by(-1)} disabled={at === 0}>
          ← Back
        </button>
        <input
          type="range"
          min={0}
          max={last}
          value={at}
          aria-label="step"
          aria-valuetext={step.event.words}
          onInput={(event) => setAt(Number(event.currentTarget.value))}
        />
        <button type="button" class="button" onClick={() => by(1)} disabled={at === last}>
          Next →
        </button>
        <span class="soft">
          {at + 1} of {last + 1}
        </span>
      </div>
      <p class="exports">
        <span>Export:</span>
        {GAMES[game].hasHistories && (
          <a href={exportAddress(room, "phh", replay.hand)} download>
            PHH
          </a>
        )}
        {GAMES[game].hasHistories && (
          <a href={exportAddress(room, "pokerstars", replay.hand)} download>
            PokerStars text
          </a>
        )}
        <a href={exportAddress(room, "json", replay.hand)} download>
          JSON
        </a>
      </p>
      <After room={room} replay={replay} />
    </>
  );
}

function After({ room, replay }: { room: string; replay: Replay }) {
  const [thoughts, setThoughts] = useState<Thoughts | string>();
  const [odds, setOdds] = useState<Odds | string>();
  useEffect(() => {
    askThoughts(room, replay.hand).then(setThoughts, (error: Error) => setThoughts(error.message));
    askOdds(room, replay.hand).then(setOdds, (error: Error) => setOdds(error.message));
  }, [room, replay.hand]);
  return (
    <div class="after">
      <ThoughtList thoughts={thoughts} />
      <div>
        <OddsTable odds={odds} scene={replay.steps[replay.steps.length - 1]!.scene} />
        <FairCheck room={room} hand={replay.hand} />
      </div>
    </div>
  );
}
