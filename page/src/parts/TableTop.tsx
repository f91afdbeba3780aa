// The strip above the table: the room, the connection in words, and the actions on the seat and the room.

import { useState } from "preact/hooks";
import { GAMES, holdemTable } from "../logic/games.ts";
import type { Session } from "../logic/session.ts";
import { linkWords } from "../logic/words.ts";
import { go } from "../store/navigation.ts";
import type { LiveRoom, Unsigned } from "../store/room.ts";
import type { Scene, SeatScene } from "../wire.ts";
import { Bans } from "./Bans.tsx";
import { Confirm, type Question } from "./Confirm.tsx";
import { Invite } from "./Invite.tsx";
import { Link } from "./Link.tsx";
import { Mark } from "./Shell.tsx";

interface Props {
  readonly live: LiveRoom;
  readonly session: Session;
  readonly scene: Scene;
  readonly onKeys: () => void;
  readonly onSettings: () => void;
}

export function TableTop({ live, session, scene, onKeys, onSettings }: Props) {
  const link = live.link.value;
  const blinds = holdemTable(scene)?.blinds.join("/");
  return (
    <header class="table-top">
      <Link to="/" class="mark" label="tahur, home">
        <Mark />
        <span>tahur</span>
      </Link>
      <h1>
        {scene.title || GAMES[scene.game].title}
        <small>
          {[blinds && `blinds ${blinds}`, scene.hand > 0 && `${GAMES[scene.game].deal} ${scene.hand}`]
            .filter(Boolean)
            .join(" · ")}
        </small>
      </h1>
      <p class={`link link-${link.kind}`} role="status">
        <i aria-hidden="true" />
        {linkWords(link, session)}
        {link.kind === "lost" && (
          <button type="button" class="quiet" onClick={live.retry}>
            Now
          </button>
        )}
      </p>
      <span class="table-buttons">
        <Invite />
        <RoomMenu live={live} scene={scene} onSettings={onSettings} />
        <button type="button" class="quiet round" aria-label="keys" title="keys (?)" onClick={onKeys}>
          ?
        </button>
      </span>
    </header>
  );
}

function RoomMenu({ live, scene, onSettings }: { live: LiveRoom; scene: Scene; onSettings: () => void }) {
  const [open, setOpen] = useState(false);
  const [question, setQuestion] = useState<Question>();
  const [bans, setBans] = useState(false);
  const ask = (next: Question) => () => {
    setOpen(false);
    setQuestion(next);
  };
  const me = scene.you === null ? undefined : scene.seats[scene.you];
  const host = scene.you !== null && scene.host === scene.you;
  const send = (request: Unsigned, words: string) => () => {
    live.send(request, words);
    setOpen(false);
  };
  const out = me?.state === "sitting out";
  return (
    <span
      class="menu"
      onKeyDown={(event) => {
        if (event.key === "Escape") setOpen(false);
      }}
    >
      <button type="button" class="quiet" aria-expanded={open} aria-haspopup="true" onClick={() => setOpen(!open)}>
        Room
      </button>
      {open && (
        <div class="menu-list">
          {me && (
            <button type="button" onClick={send({ type: "sit_out", out: !out }, out ? "return" : "sitting out")}>
              {out ? "Play again" : "Sit out the next"}
            </button>
          )}
          {scene.may_rebuy && (
            <button type="button" onClick={send({ type: "rebuy" }, "rebuy")}>
              Buy in again
            </button>
          )}
          {me && holdemTable(scene) && (
            <button type="button" onClick={send({ type: "muck", auto: !scene.muck }, "setting")}>
              {scene.muck ? "Show losing hands" : "Muck losing hands"}
            </button>
          )}
          {host && (
            <button type="button" onClick={send({ type: "pause", paused: scene.phase !== "paused" }, "pause")}>
              {scene.phase === "paused" ? "Go on" : "Pause"}
            </button>
          )}
          {host &&
            scene.seats
              .filter((seat) => seat.state !== "empty" && seat.seat !== scene.you)
              .map((seat) => (
                <button key={seat.seat} type="button" onClick={send({ type: "remove", seat: seat.seat }, "request")}>
                  Remove {seat.name}
                </button>
              ))}
          {host &&
            scene.seats
              .filter((seat) => seat.state !== "empty" && seat.seat !== scene.you && seat.mind === null)
              .map((seat) => (
                <button key={seat.seat} type="button" onClick={ask(banQuestion(live, scene, seat))}>
                  Ban {seat.name}
                </button>
              ))}
          {host && scene.bans.length > 0 && (
            <button
              type="button"
              onClick={() => {
                setOpen(false);
                setBans(true);
              }}
            >
              Banned people ({scene.bans.length})
            </button>
          )}
          {host && (
            <button
              type="button"
              onClick={ask({
                title: "Close the room?",
                words: `No other ${GAMES[scene.game].deal} is dealt after this one. Finished hands are saved.`,
                yes: "Close the room",
                act: () => live.send({ type: "close" }, "closing"),
              })}
            >
              Close the room
            </button>
          )}
          <button
            type="button"
            onClick={() => {
              setOpen(false);
              onSettings();
            }}
          >
            Settings
          </button>
          <button type="button" onClick={() => go({ page: "hands", room: scene.room })}>
            History of this room
          </button>
          {me && (
            <button
              type="button"
              onClick={ask({
                title: "Leave the seat?",
                words: leaveWords(scene),
                yes: "Leave the seat",
                act: () => {
                  live.send({ type: "leave" }, "leaving");
                  go({ page: "home" });
                },
              })}
            >
              Leave the seat
            </button>
          )}
        </div>
      )}
      {bans && <Bans live={live} scene={scene} onClose={() => setBans(false)} />}
      {question && <Confirm question={question} onClose={() => setQuestion(undefined)} />}
    </span>
  );
}

function banQuestion(live: LiveRoom, scene: Scene, seat: SeatScene): Question {
  return {
    title: `Ban ${seat.name}?`,
    words:
      `${seat.name} loses the seat and cannot join, watch or write in this room any more, with this browser or ` +
      `from this address. ${GAMES[scene.game].leaving.other}. You can lift the ban later.`,
    yes: `Ban ${seat.name}`,
    no: "Cancel",
    act: () => live.send({ type: "ban", seat: seat.seat }, "ban"),
  };
}

function leaveWords(scene: Scene): string {
  return `The seat becomes free for others, and ${GAMES[scene.game].leaving.own}. To pause, sit out instead.`;
}
