// An icon beside every coloured action, so that nothing depends on colour alone.

import type { ActionKind } from "../logic/words.ts";

const PATHS: Partial<Record<ActionKind, string>> = {
  fold: "M3 3 11 11M11 3 3 11",
  call: "M2.5 7.5 5.8 10.8 11.5 3.6",
  bet: "M7 11.5V3M3.4 6.4 7 2.6 10.6 6.4",
  "all-in": "M3.4 7.2 7 3.4 10.6 7.2M3.4 11.4 7 7.6 10.6 11.4",
  dudo: "M4.4 4.6C4.4 2.6 9.6 2.4 9.6 5 9.6 6.8 7 6.9 7 8.7M7 11.2V11.4",
  calza: "M3 5.2H11M3 8.8H11",
  bid: "M7 3V11M3 7H11",
};

export function ActionSign({ kind }: { kind: ActionKind }) {
  const path = PATHS[kind];
  if (!path) return null;
  return (
    <svg class="sign" viewBox="0 0 14 14" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
