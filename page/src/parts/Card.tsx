// A playing card: rank above, suit below, four colours, and a name for screen readers.

import { cardFace, type Suit } from "../logic/cards.ts";

const SUIT_PATHS: Readonly<Record<Suit, string>> = {
  s: "M50 5C58 25 92 40 92 62 92 75 83 82 73 82 65 82 58 78 54 71 55 82 59 90 67 95L33 95C41 90 45 82 46 71 42 78 35 82 27 82 17 82 8 75 8 62 8 40 42 25 50 5Z",
  h: "M50 92C22 68 7 50 7 31 7 17 17 8 29 8 39 8 46 14 50 23 54 14 61 8 71 8 83 8 93 17 93 31 93 50 78 68 50 92Z",
  d: "M50 4C60 22 72 37 87 50 72 63 60 78 50 96 40 78 28 63 13 50 28 37 40 22 50 4Z",
  c: "M50 5A21 21 0 0 1 67 38 21 21 0 1 1 55 69C56 81 60 90 68 95L32 95C40 90 44 81 45 69A21 21 0 1 1 33 38 21 21 0 0 1 50 5Z",
};

export function SuitSign({ suit, class: kind = "" }: { suit: Suit; class?: string }) {
  return (
    <svg class={`suit suit-${suit} ${kind}`} viewBox="0 0 100 100" aria-hidden="true">
      <path d={SUIT_PATHS[suit]} />
    </svg>
  );
}

export function Card({ card, dim = false, lit = false }: { card: string; dim?: boolean; lit?: boolean }) {
  const face = cardFace(card);
  return (
    <svg
      class={`card suit-${face.suit}${dim ? " card-dim" : ""}${lit ? " card-lit" : ""}`}
      viewBox="0 0 60 84"
      role="img"
      aria-label={face.name}
    >
      <rect class="card-paper" x="0.5" y="0.5" width="59" height="83" rx="6.5" />
      <text
        class="card-rank"
        x={face.rank === "10" ? 5.2 : 7}
        y="32"
        textLength={face.rank === "10" ? 31 : undefined}
        lengthAdjust="spacingAndGlyphs"
      >
        {face.rank}
      </text>
      <g transform="translate(8 37) scale(0.13)">
        <path d={SUIT_PATHS[face.suit]} />
      </g>
      <g transform="translate(23 44) scale(0.325)">
        <path d={SUIT_PATHS[face.suit]} />
      </g>
    </svg>
  );
}

export function CardBack() {
  return (
    <svg class="card card-back" viewBox="0 0 60 84" role="img" aria-label="a card face down">
      <rect class="card-back-edge" x="0.5" y="0.5" width="59" height="83" rx="6.5" />
      <rect class="card-back-field" x="5" y="5" width="50" height="74" rx="3.5" />
      <g class="card-back-lines">
        {[0, 1, 2, 3, 4].map((at) => (
          <path key={at} d={`M30 ${14 + at * 4}L${48 - at * 3} 42 30 ${70 - at * 4} ${12 + at * 3} 42Z`} />
        ))}
      </g>
    </svg>
  );
}

/** A placeholder for a card. */
export function CardPlace() {
  return (
    <svg class="card card-place" viewBox="0 0 60 84" aria-hidden="true">
      <rect x="1.5" y="1.5" width="57" height="81" rx="6" />
    </svg>
  );
}

/** Cards in a row of text, as in the log. */
export function CardWords({ card }: { card: string }) {
  const face = cardFace(card);
  return (
    <span class={`card-words suit-${face.suit}`} role="img" aria-label={face.name}>
      {face.rank}
      <SuitSign suit={face.suit} />
    </span>
  );
}

/** Text with its cards drawn; the cards are listed, since "As" may also begin a sentence. */
export function WordsWithCards({ words, cards }: { words: string; cards: readonly string[] }) {
  const drawn = words
    .split(/\b([2-9TJQKA][shdc])\b/)
    .map((part, at) => (at % 2 && cards.includes(part) ? <CardWords key={at} card={part} /> : part));
  return <>{drawn}</>;
}
