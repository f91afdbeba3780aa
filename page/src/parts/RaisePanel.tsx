// The amount to raise to: preset sizes with keys, a slider, and a field for chips, big blinds or a part of the pot.

import type { RefObject } from "preact";
import { grouped, heat, heatStep, placeOf, slid, stepped, type Betting } from "../logic/sizing.ts";
import type { Size } from "../wire.ts";

interface Props {
  readonly betting: Betting;
  readonly sizes: readonly Size[];
  readonly typed: string;
  readonly wrong: string;
  readonly to: number | undefined;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly onType: (text: string) => void;
  readonly onChoose: (chips: number) => void;
  readonly onEnter: () => void;
}

export function RaisePanel({ betting, sizes, typed, wrong, to, field, onType, onChoose, onEnter }: Props) {
  if (betting.fixed) return null;
  return (
    <div class="raise">
      <div class="sizes" role="group" aria-label="sizes">
        {sizes.slice(0, 5).map((size, at) => (
          <button
            key={size.name}
            type="button"
            class={`size heat-${heatStep(heat(betting, size.to))}${to === size.to ? " size-chosen" : ""}`}
            aria-pressed={to === size.to}
            onClick={() => onChoose(size.to)}
          >
            <span class="size-name">{size.name}</span>
            <b>{grouped(size.to)}</b>
            <kbd>{at + 1}</kbd>
          </button>
        ))}
        {!sizes.slice(0, 5).some((size) => size.to === betting.most) && (
          <button
            type="button"
            class={`size heat-4${to === betting.most ? " size-chosen" : ""}`}
            aria-pressed={to === betting.most}
            onClick={() => onChoose(betting.most)}
          >
            <span class="size-name">all-in</span>
            <b>{grouped(betting.most)}</b>
            <kbd>A</kbd>
          </button>
        )}
      </div>
      <div class="amount">
        <input
          type="range"
          class="slider"
          min="0"
          max="1000"
          step="1"
          aria-label="raise to, by slider"
          aria-valuetext={to === undefined ? "" : grouped(to)}
          value={placeOf(betting, to ?? betting.least)}
          onInput={(event) => onChoose(slid(betting, Number(event.currentTarget.value)))}
          onKeyDown={(event) => {
            const chips = stepped(betting, to ?? betting.least, event.key);
            if (chips === undefined) return;
            event.preventDefault();
            onChoose(chips);
          }}
        />
        <label class="typed">
          <span>{betting.bet ? "raise to" : "bet"}</span>
          <input
            ref={field}
            type="text"
            inputMode="decimal"
            autocomplete="off"
            value={typed}
            aria-invalid={wrong !== ""}
            aria-describedby="typed-wrong"
            onInput={(event) => onType(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter") {
                event.preventDefault();
                event.stopPropagation();
                onEnter();
              }
            }}
          />
        </label>
      </div>
      <p id="typed-wrong" class="wrong" role="alert">
        {wrong}
      </p>
    </div>
  );
}
