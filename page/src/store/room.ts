// The live connection to one room: opens the socket, holds the session, resends unacknowledged requests, and
// takes this browser's part in the shuffle.

import { signal, type Signal } from "@preact/signals";
import { ask, hear, NOTHING_KNOWN, type Request, type Session } from "../logic/session.ts";
import { isSeedId, takePart, type Sent } from "../logic/seeds.ts";
import type { Link } from "../logic/words.ts";
import { VERSION, type ToClient } from "../wire.ts";
import { dealBook } from "./deals.ts";

const WAITS = [1, 1, 2, 3, 5, 8]; // seconds before each retry

export interface LiveRoom {
  readonly session: Signal<Session>;
  readonly link: Signal<Link>;
  /** `words` describe the request, for the state of the connection: "raise to 240". */
  send(request: Unsigned, words: string): void;
  retry(): void;
  /** Reconnect, because the user's identity has changed. */
  reconnect(): void;
  close(): void;
}

/** A request without the fields that the connection adds. */
export type Unsigned = Request extends infer R ? (R extends Request ? Omit<R, "v" | "id"> : never) : never;

export function openLive(room: string): LiveRoom {
  const session = signal<Session>(NOTHING_KNOWN);
  const link = signal<Link>({ kind: "connecting" });
  let socket: WebSocket | undefined;
  let timer = 0;
  let failures = 0;
  let closed = false;

  function connect(): void {
    clearInterval(timer);
    link.value = { kind: "connecting" };
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const mine = new WebSocket(`${scheme}://${location.host}/api/rooms/${encodeURIComponent(room)}/socket?seeds=1`);
    const seeds: Sent = { ids: new Set(), taken: new Set() };
    socket = mine;
    mine.onopen = () => {
      mine.send(JSON.stringify({ v: VERSION, type: "hello", seen: session.value.seen }));
      for (const { request } of session.value.pending) mine.send(JSON.stringify(request));
      link.value = { kind: "open" };
    };
    mine.onmessage = ({ data }) => {
      failures = 0;
      const message = JSON.parse(String(data)) as ToClient;
      if ((message.type === "ack" || message.type === "refused") && isSeedId(message.id)) {
        if (message.type === "ack") seeds.taken.add(message.id);
        return; // answers about seeds are handled here
      }
      if (message.type === "frame")
        for (const request of takePart(message.scene, dealBook, seeds)) mine.send(JSON.stringify(request));
      session.value = hear(session.value, message, performance.now());
    };
    mine.onclose = () => {
      if (mine === socket && !closed) lose();
    };
  }

  function lose(): void {
    if (session.value.ended) {
      link.value = { kind: "ended" };
      return;
    }
    let left = WAITS[Math.min(failures, WAITS.length - 1)]!;
    failures += 1;
    link.value = { kind: "lost", retryIn: left };
    clearInterval(timer);
    timer = window.setInterval(() => {
      left -= 1;
      if (left <= 0) connect();
      else link.value = { kind: "lost", retryIn: left };
    }, 1000);
  }

  function send(unsigned: Unsigned, words: string): void {
    const request = { v: VERSION, id: freshId(), ...unsigned } as Request;
    const next = ask(session.value, request, words);
    if (next === session.value) return;
    session.value = next;
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(request));
  }

  function close(): void {
    closed = true;
    clearInterval(timer);
    socket?.close();
  }

  function reconnect(): void {
    const old = socket;
    connect();
    old?.close();
  }

  connect();
  return { session, link, send, retry: connect, reconnect, close };
}

function freshId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
