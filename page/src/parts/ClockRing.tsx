// The ring around a seat whose turn it is: the clock runs off it, then the time bank, in another stroke.

import type { ClockLeft } from "../logic/session.ts";

const AROUND = 2 * Math.PI * 29;

export function ClockRing({ clock }: { clock: ClockLeft | undefined }) {
  if (!clock) {
    return (
      <svg class="ring ring-still" viewBox="0 0 64 64" aria-hidden="true">
        <circle cx="32" cy="32" r="29" />
      </svg>
    );
  }
  const share = clock.inBank ? 1 : clock.share;
  const kind = clock.away ? "ring-grace" : clock.inBank ? "ring-bank" : clock.share < 0.25 ? "ring-short" : "";
  return (
    <svg class={`ring ${kind}`} viewBox="0 0 64 64" aria-hidden="true">
      <circle class="ring-track" cx="32" cy="32" r="29" />
      <circle
        class="ring-left"
        cx="32"
        cy="32"
        r="29"
        stroke-dasharray={`${AROUND * share} ${AROUND}`}
        transform="rotate(-90 32 32)"
      />
    </svg>
  );
}

/** The clock in words. */
export function clockWords(clock: ClockLeft): string {
  const away = clock.away ? "away: " : "";
  if (clock.inBank) return `${away}time bank ${Math.ceil(clock.bank / 1000)} s`;
  return `${away}${Math.ceil(clock.left / 1000)} s`;
}
