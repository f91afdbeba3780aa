// Three short hints at the table, one after the other; they can be turned off.

import type { Pieces } from "../logic/games.ts";
import { change, settings } from "../store/settings.ts";

const HINTS: Readonly<Record<Pieces, readonly string[]>> = {
  cards: [
    "Your cards are at the bottom. When the ring around your seat runs, it is your turn.",
    "F folds, C checks or calls, R raises, Enter sends. Press ? to see every key.",
    "When a hand is over, “Last hand” shows what every bot thought and what the odds were.",
  ],
  dice: [
    "Your dice are at the bottom; the others are under cups. Bids count all the dice on the table.",
    "Bid higher, doubt with dudo, or call calza: the bid is exactly right. Aces count for every face.",
    "When a round is over, “Last round” shows what every bot thought.",
  ],
};

export function Hints({ pieces }: { pieces: Pieces }) {
  const { hints, hint } = settings.value;
  const text = hints ? HINTS[pieces][hint] : undefined;
  if (!text) return null;
  return (
    <aside class="hint" aria-label={`hint ${hint + 1} of 3`}>
      <p>
        <b>{hint + 1}/3</b> {text}
      </p>
      <span>
        <button type="button" class="quiet" onClick={() => change({ hints: false })}>
          No hints
        </button>
        <button type="button" class="quiet strong" onClick={() => change({ hint: hint + 1 })}>
          {hint === 2 ? "Done" : "Next"}
        </button>
      </span>
    </aside>
  );
}
