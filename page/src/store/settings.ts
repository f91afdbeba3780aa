// The user's settings in this browser: name, palette, hints seen. Only the name is sent to the server.

import { effect, signal } from "@preact/signals";

export interface Settings {
  readonly name: string;
  readonly palette: "house" | "safe"; // safe: colours that colour-blind people can distinguish
  readonly hints: boolean;
  readonly hint: number; // the next hint to show
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
    // Without storage the page still works.
  }
});

export function change(part: Partial<Settings>): void {
  settings.value = { ...settings.value, ...part };
}

/** The user's name at the table. */
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
