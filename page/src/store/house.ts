// REST requests to the server: games and bots, rooms, hands. Errors are sentences.

import type {
  Entered,
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
  readonly status: number; // 0: the server was not reached
  readonly password: boolean; // the server has a password, which this browser has not given
  constructor(message: string, status: number, password = false) {
    super(message);
    this.status = status;
    this.password = password;
  }
}

let house: Promise<House> | undefined;

/** Games and bots; requested once. */
export function askHouse(): Promise<House> {
  house ??= ask<House>("/api/house").then((found) => {
    if (!found.entered) throw new Refusal("This card room has a password.", 401, true);
    return found;
  });
  house.catch(() => {
    house = undefined;
  });
  return house;
}

/** Send the password; the browser stores the pass as a cookie. */
export const enter = (password: string) => ask<Entered>("/api/enter", { password });

export const askRooms = () => ask<RoomList>("/api/rooms");
export const askRoom = (room: string) => ask<RoomCard>(at(room));
export const askHands = (room: string, before?: number) =>
  ask<HandList>(`${at(room)}/hands${before === undefined ? "" : `?before=${before}`}`);
export const askReplay = (room: string, hand: number) => ask<Replay>(`${at(room)}/hands/${hand}`);
export const askThoughts = (room: string, hand: number) => ask<Thoughts>(`${at(room)}/hands/${hand}/thoughts`);
export const askOdds = (room: string, hand: number) => ask<Odds>(`${at(room)}/hands/${hand}/odds`);
export const askFairness = (room: string, hand: number) => ask<Fairness>(`${at(room)}/hands/${hand}/fairness`);

export const openRoom = (room: NewRoom) => ask<Seated>("/api/rooms", room);
export const join = (room: string, how: Join) => ask<Seated>(`${at(room)}/join`, how);
export const watch = (room: string) => ask<Seated>(`${at(room)}/watch`, {});

export function exportAddress(room: string, format: "phh" | "pokerstars" | "json", hand?: number): string {
  return `${at(room)}/export?format=${format}${hand === undefined ? "" : `&hand=${hand}`}`;
}

const at = (room: string) => `/api/rooms/${encodeURIComponent(room)}`;

export async function ask<T>(address: string, body?: object): Promise<T> {
  const how: RequestInit =
    body === undefined
      ? { headers: { Accept: "application/json" } }
      : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  return send<T>(address, how);
}

/** A request of any kind; a refusal is thrown as a sentence. */
export async function send<T>(address: string, how: RequestInit): Promise<T> {
  let answer: Response;
  try {
    answer = await fetch(address, how);
  } catch {
    throw new Refusal(
      "The card room does not answer. Is `tahur room serve` still running? Nothing that was played is lost.",
      0,
    );
  }
  const said: unknown = await answer.json().catch(() => ({}));
  if (answer.ok) return said as T;
  const why = (said as { error?: unknown }).error;
  throw new Refusal(
    typeof why === "string" ? why : `The server answered ${answer.status} without a reason.`,
    answer.status,
    answer.status === 401 && how.method === undefined && (await isShut()),
  );
}

/** Whether the server waits for a password, which is why it returns nothing. */
async function isShut(): Promise<boolean> {
  return askHouse().then(
    () => false,
    (error: unknown) => error instanceof Refusal && error.password,
  );
}
