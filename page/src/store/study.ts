// Requests of Study: the library, and the nodes of a spot. Nodes that were seen are kept, so that going back is instant.

import type { Changed, NodeView, RunoutsView, Shelves, SpotCard } from "../wire.ts";
import { ask, send } from "./house.ts";

const MOST_KEPT = 60; // answers
const kept = new Map<string, Promise<unknown>>();

const at = (spot: string) => `/api/study/${encodeURIComponent(spot)}`;
const query = (line: readonly string[], evs: boolean) =>
  `?line=${encodeURIComponent(line.join(","))}${evs ? "&evs=1" : ""}`;

export const askShelves = () => ask<Shelves>("/api/study");
export const askSpot = (spot: string) => ask<SpotCard>(at(spot));
export const solveSpot = (spot: string) => ask<SpotCard>(`${at(spot)}/solve`, {});
export const renameSpot = (spot: string, name: string) => ask<Changed>(`${at(spot)}/rename`, { name });
export const restoreSpot = (spot: string) => ask<Changed>(`${at(spot)}/restore`, {});
export const fileAddress = (spot: string) => `${at(spot)}/file`;

export const askNode = (spot: string, line: readonly string[], evs: boolean) =>
  once<NodeView>(`${at(spot)}/node${query(line, evs)}`);
export const askRunouts = (spot: string, line: readonly string[], evs: boolean) =>
  once<RunoutsView>(`${at(spot)}/runouts${query(line, evs)}`);

export async function deleteSpot(spot: string): Promise<Changed> {
  kept.clear();
  return ask<Changed>(`${at(spot)}/delete`, {});
}

export function importSpot(file: File): Promise<Changed> {
  const name = file.name.replace(/\.tahur$/i, "").slice(0, 80) || "spot";
  return send<Changed>(`/api/study?name=${encodeURIComponent(name)}`, {
    method: "POST",
    headers: { "Content-Type": "application/octet-stream" },
    body: file,
  });
}

function once<T>(address: string): Promise<T> {
  const known = kept.get(address) as Promise<T> | undefined;
  if (known) return known;
  const asked = ask<T>(address);
  kept.set(address, asked);
  if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value!);
  asked.catch(() => kept.delete(address));
  return asked;
}
