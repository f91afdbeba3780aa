// What this browser remembers of its user: a name, the palette, which hints were seen. Nothing of it is sent but the name.

import { effect, signal } from "@preact/signals";

export interface Settings {
  readonly name: string;
  readonly palette: "house" | "safe"; // safe: colours that colour-blind people tell apart
  readonly hints: boolean;
  readonly hint: number; // the next to show
  readonly bidOdds: boolean; // Perudo: the chance of a bid beside it
}

const KEY = "tahur";
const DEFAULTS: Settings = { name: "", palette: "house", hints: true, hint: 0, bidOdds: true };

export const settings = signal<Settings>(read());

effect(() => {
  const now = settings.value;
  document.documentElement.dataset["palette"] = now.palette;
  try {
    localStorage.setItem(KEY, JSON.stringify(now));
  } catch {
    // A browser that keeps nothing still plays.
  }
});

export function change(part: Partial<Settings>): void {
  settings.value = { ...settings.value, ...part };
}

/** The name to sit down with. */
export function ownName(): string {
  return settings.value.name.trim() || "Guest";
}

function read(): Settings {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Settings>) };
  } catch {
    return DEFAULTS;
  }
}
