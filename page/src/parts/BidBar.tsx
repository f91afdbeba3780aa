// Perudo's action bar: a face, a count, and bid; dudo and calza against the standing bid.

import { useLayoutEffect, useState } from "preact/hooks";
import { bidChance, bidWords } from "../logic/dice.ts";
import type { Intent } from "../logic/keys.ts";
import { heatStep } from "../logic/sizing.ts";
import { percent } from "../logic/words.ts";
import { settings } from "../store/settings.ts";
import type { Bid, PerudoChoices, PerudoScene, Scene } from "../wire.ts";
import { ActionSign } from "./ActionSign.tsx";
import { Die } from "./Die.tsx";

type Chosen = "bid" | "dudo" | "calza" | undefined;

interface Props {
  readonly scene: Scene;
  readonly table: PerudoScene;
  readonly choices: PerudoChoices;
  readonly act: (action: number, words: string) => void;
  readonly listen: (hear: (intent: Intent) => void) => () => void;
}

export function BidBar({ scene, table, choices, act, listen }: Props) {
  const [picked, setBid] = useState<Bid>();
  const [chosen, setChosen] = useState<Chosen>();
  const mine = (scene.seats[scene.you ?? -1]?.hand ?? []).map(Number);
  const chance = (of: Bid) => bidChance(of, mine, table.total - mine.length, table.wild);
  const bid = picked ?? likeliest(choices.bids, chance);
  const odds = settings.value.bidOdds;

  const choose = (next: Bid | undefined) => {
    if (next) {
      setBid(next);
      setChosen("bid");
    }
  };
  const face = (wanted: number) => choose(choices.bids.find((each) => each.face === wanted));
  const step = (by: number) =>
    choose(bid && choices.bids.find((each) => each.face === bid.face && each.count === bid.count + by));
  const send = (what: Chosen) => {
    if (what === "bid" && bid) act(bid.action, `bid of ${bidWords(bid)}`);
    if (what === "dudo" && choices.dudo !== null) act(choices.dudo, "dudo");
    if (what === "calza" && choices.calza !== null) act(choices.calza, "calza");
  };
  const press = (what: "dudo" | "calza") => (chosen === what ? send(what) : setChosen(what));

  useLayoutEffect(() =>
    listen((intent) => {
      switch (intent.kind) {
        case "preset":
          face(intent.at + 1);
          return;
        case "more":
          step(1);
          return;
        case "less":
          step(-1);
          return;
        case "dudo":
          if (choices.dudo !== null) setChosen("dudo");
          return;
        case "calza":
          if (choices.calza !== null) setChosen("calza");
          return;
        case "confirm":
          send(chosen ?? "bid");
          return;
        case "cancel":
          setChosen(undefined);
          return;
        default:
          return;
      }
    }),
  );

  return (
    <div class="bar bar-dice" role="group" aria-label="your action">
      {bid && (
        <div class="bid">
          <div class="faces" role="group" aria-label="face">
            {[1, 2, 3, 4, 5, 6].map((each) => (
              <button
                key={each}
                type="button"
                class={`face${bid.face === each ? " face-chosen" : ""}`}
                aria-pressed={bid.face === each}
                disabled={!choices.bids.some((other) => other.face === each)}
                onClick={() => face(each)}
              >
                <Die face={each} />
                <kbd>{each}</kbd>
              </button>
            ))}
          </div>
          <div class="count" role="group" aria-label="how many">
            <button type="button" aria-label="one less" onClick={() => step(-1)}>
              −
            </button>
            <output>{bid.count}</output>
            <button type="button" aria-label="one more" onClick={() => step(1)}>
              +
            </button>
          </div>
          {odds && <p class="bid-odds">true {percent(chance(bid))} of the time, by your dice alone</p>}
        </div>
      )}
      <div class="bar-buttons">
        {choices.dudo !== null && (
          <button
            type="button"
            class={`act act-fold${chosen === "dudo" ? " act-ready" : ""}`}
            onClick={() => press("dudo")}
          >
            <ActionSign kind="dudo" />
            <span>
              {chosen === "dudo" ? "Dudo: sure?" : "Dudo"}
              {odds && table.standing && <small> {percent(1 - chance(table.standing))}</small>}
            </span>
            <kbd>{chosen === "dudo" ? "⏎" : "D"}</kbd>
          </button>
        )}
        {choices.calza !== null && (
          <button
            type="button"
            class={`act act-call${chosen === "calza" ? " act-ready" : ""}`}
            onClick={() => press("calza")}
          >
            <ActionSign kind="calza" />
            <span>{chosen === "calza" ? "Calza: sure?" : "Calza"}</span>
            <kbd>{chosen === "calza" ? "⏎" : "C"}</kbd>
          </button>
        )}
        {bid && (
          <button
            type="button"
            class={`act act-bet heat-${heatStep(1 - chance(bid))}${chosen === "bid" ? " act-ready" : ""}`}
            onClick={() => send("bid")}
          >
            <ActionSign kind="bid" />
            <span>
              Bid <b>{bidWords(bid)}</b>
            </span>
            <kbd>⏎</kbd>
          </button>
        )}
      </div>
    </div>
  );
}

function likeliest(bids: readonly Bid[], chance: (bid: Bid) => number): Bid | undefined {
  return bids.reduce<Bid | undefined>((best, bid) => (best && chance(best) >= chance(bid) ? best : bid), undefined);
}
