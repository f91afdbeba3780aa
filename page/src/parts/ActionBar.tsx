// Hold'em's action bar: fold, check or call, raise to. A choice is sent by a second press or by Enter.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Intent } from "../logic/keys.ts";
import { bettingOf, grouped, heat, heatStep, readAmount, type Betting } from "../logic/sizing.ts";
import type { HoldemChoices, Scene } from "../wire.ts";
import { ActionSign } from "./ActionSign.tsx";
import { RaisePanel } from "./RaisePanel.tsx";

const FOLD = 0;
const CALL = 1;

type Asked = "fold" | "allIn" | undefined; // the action to confirm

interface Props {
  readonly scene: Scene;
  readonly choices: HoldemChoices;
  readonly act: (action: number, words: string) => void;
  readonly listen: (hear: (intent: Intent) => void) => () => void;
}

export function ActionBar({ scene, choices, act, listen }: Props) {
  const betting = bettingOf(scene);
  const [typed, setTyped] = useState(betting ? String(firstSize(choices, betting)) : "");
  const [ready, setReady] = useState(false); // an amount was chosen: Enter sends it
  const [asked, setAsked] = useState<Asked>();
  const field = useRef<HTMLInputElement>(null);
  const amount = betting && readAmount(betting, typed);
  const to = amount && "to" in amount ? amount.to : undefined;

  const choose = (chips: number) => {
    setTyped(String(chips));
    setReady(true);
    setAsked(undefined);
  };
  const fold = () => (choices.call > 0 || asked === "fold" ? act(FOLD, "fold") : setAsked("fold"));
  const call = () => act(CALL, choices.call ? `call of ${grouped(choices.call)}` : "check");
  const raise = () => {
    if (to === undefined || !betting) return;
    if (to === betting.most && !betting.fixed && asked !== "allIn") {
      setAsked("allIn");
      setReady(true);
      return;
    }
    act(
      to + 1,
      to === betting.most && !betting.fixed ? "all-in" : `${betting.bet ? "raise" : "bet"} to ${grouped(to)}`,
    );
  };

  const onIntent = (intent: Intent) => {
    switch (intent.kind) {
      case "fold":
        if (choices.fold) fold();
        return;
      case "call":
        call();
        return;
      case "raise":
        if (betting) {
          setReady(true);
          setAsked(undefined);
          field.current?.focus();
          field.current?.select();
        }
        return;
      case "preset": {
        const size = choices.sizes[intent.at];
        if (size) choose(size.to);
        return;
      }
      case "allIn":
        if (betting) {
          setTyped(String(betting.most));
          setReady(true);
          setAsked("allIn");
        }
        return;
      case "more":
        if (betting) choose(Math.min(betting.most, (to ?? betting.least) + betting.bigBlind));
        return;
      case "less":
        if (betting) choose(Math.max(betting.least, (to ?? betting.least) - betting.bigBlind));
        return;
      case "confirm":
        if (asked === "fold") act(FOLD, "fold");
        else if (ready) raise();
        return;
      case "cancel":
        setReady(false);
        setAsked(undefined);
        field.current?.blur();
        return;
      default:
        return;
    }
  };
  useLayoutEffect(() => listen(onIntent));

  return (
    <div class="bar" role="group" aria-label="your action">
      {betting && (
        <RaisePanel
          betting={betting}
          sizes={choices.sizes}
          typed={typed}
          wrong={ready && amount && "wrong" in amount ? amount.wrong : ""}
          to={to}
          field={field}
          onType={(text) => {
            setTyped(text);
            setReady(true);
            setAsked(undefined);
          }}
          onChoose={choose}
          onEnter={raise}
        />
      )}
      <div class="bar-buttons">
        {choices.fold && (
          <button type="button" class="act act-fold" onClick={fold}>
            <ActionSign kind="fold" />
            <span>{asked === "fold" ? "Fold, though a check is free?" : "Fold"}</span>
            <kbd>F</kbd>
          </button>
        )}
        <button type="button" class="act act-call" onClick={call}>
          <ActionSign kind="call" />
          <span>
            {choices.call ? (
              <>
                Call <b>{grouped(choices.call)}</b>
                {choices.call_all_in && <small> all-in</small>}
              </>
            ) : (
              "Check"
            )}
          </span>
          <kbd>C</kbd>
        </button>
        {betting && (
          <button
            type="button"
            class={`act act-bet heat-${heatStep(heat(betting, to ?? betting.least))}${ready ? " act-ready" : ""}`}
            disabled={to === undefined}
            onClick={raise}
          >
            <ActionSign kind={to === betting.most && !betting.fixed ? "all-in" : "bet"} />
            <span>{raiseWords(betting, to, asked)}</span>
            <kbd>{ready ? "⏎" : "R"}</kbd>
          </button>
        )}
      </div>
    </div>
  );
}

function raiseWords(betting: Betting, to: number | undefined, asked: Asked) {
  if (to === undefined) return betting.bet ? "Raise to…" : "Bet…";
  if (to === betting.most && !betting.fixed)
    return asked === "allIn" ? (
      <>
        All-in <b>{grouped(to)}</b>: sure?
      </>
    ) : (
      <>
        All-in <b>{grouped(to)}</b>
      </>
    );
  return (
    <>
      {betting.bet ? "Raise to" : "Bet"} <b>{grouped(to)}</b>
    </>
  );
}

function firstSize(choices: HoldemChoices, betting: Betting): number {
  const middle = choices.sizes.find((size) => size.to > betting.least && size.to < betting.most);
  return betting.bet > betting.bigBlind || !middle
    ? betting.least
    : Math.max(betting.least, Math.min(middle.to, betting.most));
}
