// An avatar for each player: initials on a disc, coloured by the name; bots have a small mask.

export function Avatar({ name, mind }: { name: string; mind: boolean }) {
  const hue = hueOf(name);
  return (
    <svg class="avatar" viewBox="0 0 64 64" aria-hidden="true">
      <circle cx="32" cy="32" r="25" fill={`hsl(${hue} 32% 24%)`} stroke={`hsl(${hue} 38% 46%)`} stroke-width="1.4" />
      <text x="32" y="33" text-anchor="middle" dominant-baseline="central" class="avatar-letters">
        {initials(name)}
      </text>
      {mind && (
        <g transform="translate(41 41)">
          <circle cx="9" cy="9" r="9" class="avatar-badge" />
          <path
            class="avatar-mask"
            d="M2.6 7C5 5.2 7.4 5.6 9 7 10.6 5.6 13 5.2 15.4 7 15.4 11.4 11.8 13.2 9 10.6 6.2 13.2 2.6 11.4 2.6 7Z"
          />
        </g>
      )}
    </svg>
  );
}

function initials(name: string): string {
  const words = name.split(/\s+/).filter((word) => !/^(el|la|los|las|the|de|don|doña)$/i.test(word));
  const first = words[0] ?? name;
  return ((first[0] ?? "?") + (words[1]?.[0] ?? first[1] ?? "")).toUpperCase();
}

function hueOf(name: string): number {
  let sum = 7;
  for (const sign of name) sum = (sum * 31 + sign.codePointAt(0)!) % 3600;
  return (sum * 137) % 360;
}
