// After the hand: the pots, what every bot thought, and the odds.

import { useEffect, useState } from "preact/hooks";
import { GAMES } from "../logic/games.ts";
import { percent } from "../logic/words.ts";
import { pathOf } from "../logic/route.ts";
import { askOdds, askThoughts, Refusal } from "../store/house.ts";
import type { Event as RoomEvent, Odds, Scene, Thoughts } from "../wire.ts";
import { splitCards } from "../logic/cards.ts";
import { CardWords, WordsWithCards } from "./Card.tsx";
import { Link } from "./Link.tsx";

interface Props {
  readonly room: string;
  readonly hand: number; // finished; 0: none yet
  readonly scene: Scene;
  readonly events: readonly RoomEvent[];
}

export function LastHand({ room, hand, scene, events }: Props) {
  const [thoughts, setThoughts] = useState<Thoughts | string>();
  const [odds, setOdds] = useState<Odds | string>();
  useEffect(() => {
    setThoughts(undefined);
    setOdds(undefined);
    if (hand === 0) return;
    askThoughts(room, hand).then(setThoughts, (error: Refusal) => setThoughts(error.message));
    askOdds(room, hand).then(setOdds, (error: Refusal) => setOdds(error.message));
  }, [room, hand]);
  const word = GAMES[scene.game].deal;
  if (hand === 0)
    return (
      <p class="empty">
        When a {word} is over, this shows what every bot thought, who won which pot, and what the odds were.
      </p>
    );
  const paid = events.filter((event) => event.hand === hand && ["show", "muck", "pay", "end"].includes(event.kind));
  return (
    <div class="last" tabIndex={0} aria-label={`${word} ${hand}`}>
      <h3>
        {word} {hand}
      </h3>
      <ul class="last-pots">
        {paid.map((event) => (
          <li key={event.number} class={`log-${event.kind}`}>
            <WordsWithCards words={event.words} cards={event.cards} />
          </li>
        ))}
      </ul>
      <ThoughtList thoughts={thoughts} />
      <OddsTable odds={odds} scene={scene} />
      <p>
        <Link to={pathOf({ page: "replay", room, hand })}>Step through this {word} again</Link>
      </p>
    </div>
  );
}

export function ThoughtList({ thoughts }: { thoughts: Thoughts | string | undefined }) {
  return (
    <section>
      <h4>What they thought</h4>
      {thoughts === undefined && <p class="soft">Asking…</p>}
      {typeof thoughts === "string" && <p class="soft">{thoughts}</p>}
      {typeof thoughts === "object" && thoughts.thoughts.length === 0 && (
        <p class="soft">No bot has shared its thoughts here.</p>
      )}
      {typeof thoughts === "object" && (
        <ol class="thoughts">
          {thoughts.thoughts.map((each) => (
            <li key={each.at}>
              <p class="thought-did">
                <b>{each.name}</b> {each.did}
              </p>
              <p class="thought-text">{each.words}</p>
              <details class="thought-record">
                <summary>the record</summary>
                <p>{each.thought.replaceAll(" | ", "\n")}</p>
              </details>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

export function OddsTable({ odds, scene }: { odds: Odds | string | undefined; scene: Scene }) {
  return (
    <section>
      <h4>What were the odds</h4>
      {odds === undefined && <p class="soft">Counting…</p>}
      {typeof odds === "string" && <p class="soft">{odds}</p>}
      {typeof odds === "object" &&
        odds.streets.map((street) => (
          <div key={street.street} class="odds">
            <p class="odds-street">
              {street.street}{" "}
              {street.board.map((card) => (
                <CardWords key={card} card={card} />
              ))}
            </p>
            {street.seats.map((seat, at) => (
              <p key={seat} class="odds-row">
                <span class="odds-name">
                  {scene.seats[seat]?.name}{" "}
                  {splitCards(street.hands[at] ?? "").map((card) => (
                    <CardWords key={card} card={card} />
                  ))}
                </span>
                <meter
                  min={0}
                  max={1}
                  value={street.equities[at] ?? 0}
                  aria-label={`share of the pot of ${scene.seats[seat]?.name ?? ""}`}
                />
                <b>{percent(street.equities[at] ?? 0)}</b>
              </p>
            ))}
          </div>
        ))}
      {typeof odds === "object" && odds.words && <p class="soft">{odds.words}</p>}
    </section>
  );
}
