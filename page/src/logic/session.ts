// What the page knows of a room, as a value: each message from the server and each request of ours makes the next one.
// Requests stay until the server says that it has them; after a lost connection they are sent again with the same id.

import type { Act, Event as RoomEvent, Scene, ToClient, ToServer } from "../wire.ts";

export type Request = Exclude<ToServer, { type: "hello" }>;

export interface Pending {
  readonly request: Request;
  readonly words: string; // "raise to 240"
}

export interface Session {
  readonly scene: Scene | null;
  readonly heardAt: number; // when the scene came, by the page's own clock in milliseconds
  readonly events: readonly RoomEvent[];
  readonly seen: number; // the number of the last event
  readonly gap: boolean; // older events are not kept by the server
  readonly pending: readonly Pending[];
  readonly saved: string; // the last action that the server has on disk, in words
  readonly refused: string; // why the last request was refused
  readonly closing: string; // why the server closed the connection
  readonly ended: boolean; // and that it wants no other
}

export const NOTHING_KNOWN: Session = {
  scene: null,
  heardAt: 0,
  events: [],
  seen: 0,
  gap: false,
  pending: [],
  saved: "",
  refused: "",
  closing: "",
  ended: false,
};

const MOST_EVENTS = 2000;

/** After a message from the server. */
export function hear(session: Session, message: ToClient, now: number): Session {
  switch (message.type) {
    case "frame": {
      const fresh = message.events.filter((event) => event.number > session.seen);
      const events = fresh.length ? [...session.events, ...fresh].slice(-MOST_EVENTS) : session.events;
      const seen = Math.max(session.seen, message.number);
      const gap = session.gap || message.gap;
      return { ...session, scene: message.scene, heardAt: now, events, seen, gap, closing: "", ended: false };
    }
    case "ack": {
      const done = session.pending.find((each) => each.request.id === message.id);
      const saved = done?.request.type === "act" ? done.words : session.saved;
      return { ...session, pending: without(session, message.id), saved, refused: "" };
    }
    case "refused":
      return { ...session, pending: without(session, message.id), refused: message.why };
    case "closing":
      return { ...session, closing: message.why, ended: !message.again };
  }
}

/** After a request of ours; a second action for the same turn is not taken, however often a button is pressed. */
export function ask(session: Session, request: Request, words: string): Session {
  if (request.type === "act" && isAsked(session, request)) return session;
  return { ...session, pending: [...session.pending, { request, words }], refused: "" };
}

/** Whether this turn's action is on its way. */
export function isSent(session: Session): boolean {
  const { scene } = session;
  return scene?.turn != null && isAsked(session, { hand: scene.hand, at: scene.turn.at });
}

function isAsked(session: Session, act: Pick<Act, "hand" | "at">): boolean {
  return session.pending.some(
    ({ request }) => request.type === "act" && request.hand === act.hand && request.at === act.at,
  );
}

function without(session: Session, id: string): readonly Pending[] {
  return session.pending.filter((each) => each.request.id !== id);
}

/** Milliseconds of the turn's clock, its time bank and the grace that are left by now. */
export interface ClockLeft {
  readonly share: number; // of the clock, from 0 to 1
  readonly left: number;
  readonly bank: number;
  readonly inBank: boolean;
  readonly grace: number;
}

export function clockLeft(scene: Scene, heardAt: number, now: number): ClockLeft | undefined {
  const turn = scene.turn;
  if (!turn || turn.left === null || turn.whole === null) return undefined;
  const gone = scene.phase === "paused" ? 0 : Math.max(0, now - heardAt);
  const grace = Math.max(0, turn.grace - gone);
  const afterGrace = Math.max(0, gone - turn.grace);
  const left = Math.max(0, turn.left - afterGrace);
  const bank = Math.max(0, turn.bank - Math.max(0, afterGrace - turn.left));
  return { share: turn.whole ? left / turn.whole : 0, left, bank, inBank: left <= 0, grace };
}
