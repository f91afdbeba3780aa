// The live table: felt, action bar, log and chat, and the state of the connection in words.

import { useEffect, useMemo, useState } from "preact/hooks";
import { GAMES } from "../logic/games.ts";
import { audible } from "../logic/mute.ts";
import { clockLeft, isSent } from "../logic/session.ts";
import { ActionBar } from "../parts/ActionBar.tsx";
import { Announce } from "../parts/Announce.tsx";
import { BidBar } from "../parts/BidBar.tsx";
import { Felt } from "../parts/Felt.tsx";
import { Hints } from "../parts/Hints.tsx";
import { Keys } from "../parts/Keys.tsx";
import { MatchOver } from "../parts/MatchOver.tsx";
import { MindDialog } from "../parts/MindDialog.tsx";
import { Panel } from "../parts/Panel.tsx";
import { SettingsDialog } from "../parts/SettingsDialog.tsx";
import { TableTop } from "../parts/TableTop.tsx";
import { useKeys, type Listen } from "../parts/keyboard.ts";
import { useBubbles } from "../parts/bubbles.ts";
import { useShown } from "../parts/shown.ts";
import { Link } from "../parts/Link.tsx";
import { pathOf } from "../logic/route.ts";
import { join } from "../store/house.ts";
import { mutedIn } from "../store/mutes.ts";
import { openLive, type LiveRoom } from "../store/room.ts";
import { ownName } from "../store/settings.ts";
import type { Scene } from "../wire.ts";

type Open = "keys" | "settings" | { readonly mindFor: number } | undefined;

export function LiveTable({ room }: { room: string }) {
  const live = useMemo(() => openLive(room), [room]);
  useEffect(() => () => live.close(), [live]);
  const session = live.session.value;
  const shown = useShown(session, session.scene);
  const scene = shown?.scene ?? null;
  const [open, setOpen] = useState<Open>();
  const now = useNow(scene?.turn != null && scene.phase === "playing");
  const listen = useKeys(scene, () => setOpen("keys"));
  const muted = mutedIn(room);
  const said = useMemo(() => audible(session.events, muted), [session.events, muted]);
  const bubbles = useBubbles(said, session.scene);

  if (!scene || !shown || !session.scene)
    return (
      <main class="table table-empty">
        <p role="status">
          {session.closing ||
            (live.link.value.kind === "lost" ? "The room does not answer. Trying again…" : "Taking your seat…")}
        </p>
        {live.link.value.kind !== "connecting" && <Link to="/">Home</Link>}
      </main>
    );
  const { pieces } = GAMES[scene.game];
  const events = shown.events === session.events ? said : audible(shown.events, muted);
  const heard = new Map([...bubbles].filter(([seat]) => !muted.includes(scene.seats[seat]?.name ?? "")));
  const host = scene.you !== null && session.scene.host === scene.you;
  const emptyChair = host
    ? { words: "put a bot here", choose: (seat: number) => setOpen({ mindFor: seat }) }
    : scene.you === null && scene.phase !== "over"
      ? { words: "take this seat", choose: (seat: number) => void sitDown(room, seat, live) }
      : undefined;
  return (
    <div class="table">
      <TableTop
        live={live}
        session={session}
        scene={session.scene}
        onKeys={() => setOpen("keys")}
        onSettings={() => setOpen("settings")}
      />
      <main class="table-main">
        {scene.match ? (
          <MatchOver scene={scene} match={scene.match} live={live} />
        ) : (
          <>
            <Felt
              scene={scene}
              clock={clockLeft(scene, session.heardAt, now)}
              bubbles={heard}
              empty={emptyChair}
            />
            <Hints pieces={pieces} />
            <Action live={live} scene={scene} sent={shown.next === undefined && isSent(session)} listen={listen} />
          </>
        )}
      </main>
      <Announce scene={scene} events={events} />
      <Panel live={live} events={events} gap={session.gap} scene={scene} />
      {open === "keys" && <Keys pieces={pieces} onClose={() => setOpen(undefined)} />}
      {open === "settings" && <SettingsDialog onClose={() => setOpen(undefined)} />}
      {typeof open === "object" && (
        <MindDialog live={live} scene={scene} seat={open.mindFor} onClose={() => setOpen(undefined)} />
      )}
    </div>
  );
}

/** A spectator takes a free seat: reconnects as that seat. */
async function sitDown(room: string, seat: number, live: LiveRoom): Promise<void> {
  try {
    await join(room, { name: ownName(), seat });
    live.reconnect();
  } catch (error) {
    live.session.value = { ...live.session.value, refused: error instanceof Error ? error.message : String(error) };
  }
}

function Action({ live, scene, sent, listen }: { live: LiveRoom; scene: Scene; sent: boolean; listen: Listen }) {
  const { refused, note } = live.session.value;
  const act = (action: number, words: string) => {
    if (scene.turn) live.send({ type: "act", hand: scene.hand, at: scene.turn.at, action }, words);
  };
  const key = `${scene.hand} ${scene.turn?.at ?? ""}`;
  if (live.link.value.kind === "ended")
    return (
      <div class="action action-wait">
        <p class="wrong" role="alert">
          {live.session.value.closing || "The room has closed this connection."}
        </p>
        <Link to="/" class="button">
          Home
        </Link>
      </div>
    );
  const { choices, table } = scene;
  return (
    <div class={`action action-${scene.game}`}>
      {refused && (
        <p class="wrong" role="alert">
          {refused}
        </p>
      )}
      {note && (
        <p class="action-note" role="status">
          {note}
        </p>
      )}
      {sent && (
        <p class="action-wait" role="status">
          Sent. Waiting for the server…
        </p>
      )}
      {!sent && choices?.type === "holdem" && (
        <ActionBar key={key} scene={scene} choices={choices} act={act} listen={listen} />
      )}
      {!sent && choices?.type === "perudo" && table?.type === "perudo" && (
        <BidBar key={key} scene={scene} table={table} choices={choices} act={act} listen={listen} />
      )}
      {!sent && !choices && <Wait live={live} scene={scene} />}
    </div>
  );
}

/** When there is nothing to decide: what the room waits for, or how to rejoin the game. */
function Wait({ live, scene }: { live: LiveRoom; scene: Scene }) {
  const me = scene.you === null ? undefined : scene.seats[scene.you];
  const asked = live.session.value.pending.some(
    ({ request }) => request.type === "rebuy" || request.type === "sit_out" || request.type === "pause",
  );
  return (
    <div class="action-wait">
      <p role="status">{waitWords(scene)}</p>
      {scene.phase === "paused" && scene.host === scene.you && (
        <button
          type="button"
          class="button button-main"
          disabled={asked}
          onClick={() => live.send({ type: "pause", paused: false }, "start")}
        >
          {scene.hand ? "Go on" : "Start the game"}
        </button>
      )}
      {scene.may_rebuy && (
        <button
          type="button"
          class="button button-main"
          disabled={asked}
          onClick={() => live.send({ type: "rebuy" }, "rebuy")}
        >
          Buy in again
        </button>
      )}
      {me?.state === "sitting out" && (
        <button
          type="button"
          class="button"
          disabled={asked}
          onClick={() => live.send({ type: "sit_out", out: false }, "return")}
        >
          Play again
        </button>
      )}
      {scene.phase === "over" && (
        <Link to={pathOf({ page: "hands", room: scene.room })} class="button">
          What was played here
        </Link>
      )}
    </div>
  );
}

function waitWords(scene: Scene): string {
  if (scene.turn) return `${scene.seats[scene.turn.seat]?.name ?? "A player"} is thinking.`;
  if (scene.you === null)
    return scene.seats.some((seat) => seat.state === "empty")
      ? "You are watching. To play, take an empty seat."
      : "You are watching.";
  if (scene.phase === "over") return "The room is closed. All hands are saved.";
  if (scene.why || scene.news || scene.seats.some((seat) => seat.equity !== null)) return "\u00a0";
  return "The next one is being dealt.";
}

/** The page's clock, while a turn is running. */
function useNow(running: boolean): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    setNow(performance.now());
    if (!running) return undefined;
    const timer = setInterval(() => setNow(performance.now()), 200);
    return () => clearInterval(timer);
  }, [running]);
  return Math.max(now, 0);
}
