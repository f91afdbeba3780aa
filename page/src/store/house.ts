// Plain requests to the server: what the house offers, rooms, hands. Errors are sentences.

import { signal } from "@preact/signals";
import type {
  Fairness,
  HandList,
  House,
  Join,
  NewRoom,
  Odds,
  Replay,
  RoomCard,
  RoomList,
  Seated,
  Thoughts,
} from "../wire.ts";

/** The server refused, or could not be reached; the message is for the reader. */
export class Refusal extends Error {
  readonly status: number; // 0: not reached
  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

export const housePassword = signal(""); // of this visit only

let house: Promise<House> | undefined;

/** Games and minds; asked once. */
export function askHouse(): Promise<House> {
  house ??= ask<House>("/api/house");
  house.catch(() => {
    house = undefined;
  });
  return house;
}

export const askRooms = () => ask<RoomList>("/api/rooms");
export const askRoom = (room: string) => ask<RoomCard>(at(room));
export const askHands = (room: string, before?: number) =>
  ask<HandList>(`${at(room)}/hands${before === undefined ? "" : `?before=${before}`}`);
export const askReplay = (room: string, hand: number) => ask<Replay>(`${at(room)}/hands/${hand}`);
export const askThoughts = (room: string, hand: number) => ask<Thoughts>(`${at(room)}/hands/${hand}/thoughts`);
export const askOdds = (room: string, hand: number) => ask<Odds>(`${at(room)}/hands/${hand}/odds`);
export const askFairness = (room: string, hand: number) => ask<Fairness>(`${at(room)}/hands/${hand}/fairness`);

export const openRoom = (room: NewRoom) => ask<Seated>("/api/rooms", { ...room, password: housePassword.value });
export const join = (room: string, how: Join) =>
  ask<Seated>(`${at(room)}/join`, { ...how, password: housePassword.value });
export const watch = (room: string) => ask<Seated>(`${at(room)}/watch`, { password: housePassword.value });

export function exportAddress(room: string, format: "phh" | "pokerstars" | "json", hand?: number): string {
  return `${at(room)}/export?format=${format}${hand === undefined ? "" : `&hand=${hand}`}`;
}

const at = (room: string) => `/api/rooms/${encodeURIComponent(room)}`;

async function ask<T>(address: string, body?: object): Promise<T> {
  const how: RequestInit =
    body === undefined
      ? { headers: { Accept: "application/json" } }
      : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  let answer: Response;
  try {
    answer = await fetch(address, how);
  } catch {
    throw new Refusal(
      "The card room does not answer. Is `tahur serve` still running? Nothing that was played is lost.",
      0,
    );
  }
  const said: unknown = await answer.json().catch(() => ({}));
  if (answer.ok) return said as T;
  const why = (said as { error?: unknown }).error;
  throw new Refusal(
    typeof why === "string" ? why : `The server said ${answer.status} without a reason.`,
    answer.status,
  );
}
