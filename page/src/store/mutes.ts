// The players that this browser mutes, room by room. Never sent to the server.

import { signal } from "@preact/signals";

const KEY = "tahur-muted";
const MOST = 100; // rooms

type Mutes = Readonly<Record<string, readonly string[]>>;

export const mutes = signal<Mutes>(read());

const NOBODY: readonly string[] = [];

export const mutedIn = (room: string): readonly string[] => mutes.value[room] ?? NOBODY;

export function setMuted(room: string, name: string, muted: boolean): void {
  const others = mutedIn(room).filter((each) => each !== name);
  const { [room]: _, ...rest } = mutes.value;
  const next = muted ? [...others, name] : others;
  const rooms = Object.entries(rest).slice(-(MOST - 1));
  mutes.value = Object.fromEntries(next.length ? [...rooms, [room, next] as const] : rooms);
  try {
    localStorage.setItem(KEY, JSON.stringify(mutes.value));
  } catch {
    // Without storage, mutes last until the page is closed.
  }
}

function read(): Mutes {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return typeof kept === "object" && kept !== null && !Array.isArray(kept) ? (kept as Mutes) : {};
  } catch {
    return {};
  }
}
