// The page's state of a room, as a value: each message from the server and each request returns the next one.
// Requests stay until the server acknowledges them; after a lost connection they are sent again with the same id.

import type { Act, EndStep, Event as RoomEvent, Frame, Scene, ToClient, ToServer } from "../wire.ts";

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
  readonly gap: boolean; // older events are no longer on the server
  readonly ending: Ending | undefined; // the end of the last hand, to be shown moment by moment
  readonly pending: readonly Pending[];
  readonly acted: Decision | undefined; // the last decision that the server has on disk
  readonly saved: string; // the last action that the server has on disk, in words
  readonly refused: string; // why the last request was refused
  readonly unsaid: Unsaid | undefined; // a chat line that the room refused
  readonly note: string; // the note of the room's last answer
  readonly closing: string; // why the server closed the connection
  readonly ended: boolean; // and that the page must not reconnect
}

/** A line that was refused, and why. */
export interface Unsaid {
  readonly text: string;
  readonly why: string;
}

/** A decision: action number `at` of a hand. */
export type Decision = Pick<Act, "hand" | "at">;

/** The moments of a hand's end, and when they arrived. */
export interface Ending {
  readonly steps: readonly EndStep[];
  readonly heardAt: number;
}

export const NOTHING_KNOWN: Session = {
  scene: null,
  heardAt: 0,
  events: [],
  seen: 0,
  gap: false,
  ending: undefined,
  pending: [],
  acted: undefined,
  saved: "",
  refused: "",
  unsaid: undefined,
  note: "",
  closing: "",
  ended: false,
};

const MOST_EVENTS = 2000;

/** The session after a message from the server. */
export function hear(session: Session, message: ToClient, now: number): Session {
  switch (message.type) {
    case "frame": {
      const fresh = message.events.filter((event) => event.number > session.seen);
      const events = fresh.length ? [...session.events, ...fresh].slice(-MOST_EVENTS) : session.events;
      const seen = Math.max(session.seen, message.number);
      const gap = session.gap || message.gap;
      const ending = endingAfter(session, message, now);
      return { ...session, scene: message.scene, heardAt: now, events, seen, gap, ending, closing: "", ended: false };
    }
    case "ack": {
      const done = session.pending.find((each) => each.request.id === message.id);
      const act = done?.request.type === "act" ? done.request : undefined;
      const saved = act ? done!.words : session.saved;
      const pending = without(session, message.id);
      return { ...session, pending, acted: act ?? session.acted, saved, refused: "", note: message.note };
    }
    case "refused": {
      const request = session.pending.find((each) => each.request.id === message.id)?.request;
      const pending = without(session, message.id);
      if (request?.type === "say") return { ...session, pending, unsaid: { text: request.text, why: message.why } };
      return { ...session, pending, refused: message.why };
    }
    case "closing":
      return { ...session, closing: message.why, ended: !message.again };
  }
}

/** A page that was just loaded sees the result at once; a new hand ends the display of the last one. */
function endingAfter(session: Session, frame: Frame, now: number): Ending | undefined {
  const fresh = session.seen > 0 ? frame.ending.filter((step) => step.number > session.seen) : [];
  if (fresh.length) return { steps: fresh, heardAt: now };
  return session.ending?.steps[0]?.scene.hand === frame.scene.hand ? session.ending : undefined;
}

/** What to show now, and when the next moment is due (undefined: none). */
export interface Shown {
  readonly scene: Scene;
  readonly events: readonly RoomEvent[];
  readonly next: number | undefined; // milliseconds
}

/** The moment of a hand's end to show now, without later events; otherwise everything. */
export function shownBy(session: Session, scene: Scene, now: number): Shown {
  let until = session.ending?.heardAt ?? 0;
  for (const step of session.ending?.steps ?? []) {
    until += step.milliseconds;
    if (now < until) {
      const events = session.events.filter((event) => event.kind === "chat" || event.number <= step.number);
      return { scene: step.scene, events, next: until - now };
    }
  }
  return { scene, events: session.events, next: undefined };
}

/** The session after a request; a second action for the same turn is ignored. */
export function ask(session: Session, request: Request, words: string): Session {
  if (request.type === "act" && isAsked(session, request)) return session;
  const unsaid = request.type === "say" ? undefined : session.unsaid;
  return { ...session, pending: [...session.pending, { request, words }], refused: "", note: "", unsaid };
}

/** Whether this turn's action is in flight, or is acknowledged but its effect has not arrived yet. */
export function isSent(session: Session): boolean {
  const { scene, acted } = session;
  if (scene?.turn == null) return false;
  const open = { hand: scene.hand, at: scene.turn.at };
  return isAsked(session, open) || (acted?.hand === open.hand && acted.at === open.at);
}

function isAsked(session: Session, act: Decision): boolean {
  return session.pending.some(
    ({ request }) => request.type === "act" && request.hand === act.hand && request.at === act.at,
  );
}

function without(session: Session, id: string): readonly Pending[] {
  return session.pending.filter((each) => each.request.id !== id);
}

/** Milliseconds left on the turn's clock and time bank. */
export interface ClockLeft {
  readonly share: number; // of the clock, from 0 to 1
  readonly left: number; // includes extra time after a lost connection
  readonly bank: number;
  readonly inBank: boolean;
  readonly away: boolean; // still disconnected, with extra time
}

export function clockLeft(scene: Scene, heardAt: number, now: number): ClockLeft | undefined {
  const turn = scene.turn;
  if (!turn || turn.left === null || turn.whole === null) return undefined;
  const gone = scene.phase === "paused" ? 0 : Math.max(0, now - heardAt);
  const left = Math.max(0, turn.left - gone);
  const bank = Math.max(0, turn.bank - Math.max(0, gone - turn.left));
  const away = turn.grace > 0 && scene.seats[turn.seat]?.here === false;
  return { share: turn.whole ? left / turn.whole : 0, left, bank, inBank: left <= 0, away };
}
