// A small stack of chips: higher for more.

export function Chips({ amount }: { amount: number }) {
  const high = Math.min(4, 1 + Math.floor(Math.log10(Math.max(1, amount))));
  return (
    <svg class="chips" viewBox="0 0 22 24" aria-hidden="true">
      {Array.from({ length: high }, (_, at) => (
        <g key={at} transform={`translate(0 ${15 - at * 4})`}>
          <ellipse class={`chip chip-${at % 3}`} cx="11" cy="5" rx="10" ry="4" />
          <ellipse class="chip-line" cx="11" cy="4.4" rx="6" ry="2" />
        </g>
      ))}
    </svg>
  );
}
