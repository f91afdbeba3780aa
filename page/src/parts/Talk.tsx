// Table talk: lines of bots and people, and a field to write one.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Unsaid } from "../logic/session.ts";
import type { Event as RoomEvent, Scene } from "../wire.ts";
import { useFollow } from "./follow.ts";
import { MuteList } from "./MuteList.tsx";

interface Props {
  readonly events: readonly RoomEvent[];
  readonly scene: Scene;
  readonly say: ((text: string) => void) | undefined;
  readonly unsaid: Unsaid | undefined;
}

export function Talk({ events, scene, say, unsaid }: Props) {
  const [line, setLine] = useState("");
  useEffect(() => {
    if (unsaid) setLine((now) => now || unsaid.text); // to send again or edit
  }, [unsaid]);
  const list = useRef<HTMLOListElement>(null);
  const said = events.filter((event) => event.kind === "chat");
  useFollow(list, said.length);
  return (
    <div class="talk">
      {said.length === 0 && (
        <p class="empty">No messages yet. Be friendly, and do not talk about your cards.</p>
      )}
      <ol class="talk-lines" ref={list} tabIndex={0} aria-label="table talk">
        {said.map((event) => {
          const seat = event.seat === null ? undefined : scene.seats[event.seat];
          return (
            <li key={event.number} class={event.seat === scene.you ? "talk-own" : ""}>
              {seat && <b>{seat.name}</b>} <span>{spoken(event.words, seat?.name)}</span>
            </li>
          );
        })}
      </ol>
      <MuteList scene={scene} />
      {unsaid && (
        <p class="wrong" role="alert">
          Not said: {unsaid.why}
        </p>
      )}
      {say && (
        <form
          class="talk-say"
          onSubmit={(event) => {
            event.preventDefault();
            if (line.trim()) {
              say(line.trim());
              setLine("");
            }
          }}
        >
          <label class="hidden" for="say">
            Say something at the table
          </label>
          <input
            id="say"
            value={line}
            maxLength={280}
            placeholder="Say something…"
            autocomplete="off"
            onInput={(event) => setLine(event.currentTarget.value)}
          />
          <button type="submit" class="quiet">
            Say
          </button>
        </form>
      )}
    </div>
  );
}

/** The line without the speaker's name at its start. */
export function spoken(words: string, name: string | undefined): string {
  return name && words.startsWith(`${name}: `) ? words.slice(name.length + 2) : words;
}
