// The table, live: felt, action bar, log and talk, the state of the connection in words.

import { useEffect, useMemo, useState } from "preact/hooks";
import { clockLeft, isSent } from "../logic/session.ts";
import { ActionBar } from "../parts/ActionBar.tsx";
import { Announce } from "../parts/Announce.tsx";
import { BidBar } from "../parts/BidBar.tsx";
import { Felt } from "../parts/Felt.tsx";
import { Hints } from "../parts/Hints.tsx";
import { Keys } from "../parts/Keys.tsx";
import { MindDialog } from "../parts/MindDialog.tsx";
import { Panel } from "../parts/Panel.tsx";
import { SettingsDialog } from "../parts/SettingsDialog.tsx";
import { TableTop } from "../parts/TableTop.tsx";
import { useKeys, type Listen } from "../parts/keyboard.ts";
import { useBubbles } from "../parts/bubbles.ts";
import { Link } from "../parts/Link.tsx";
import { pathOf } from "../logic/route.ts";
import { noteDeal } from "../store/deals.ts";
import { openLive, type LiveRoom } from "../store/room.ts";
import type { Scene } from "../wire.ts";

type Open = "keys" | "settings" | { readonly mindFor: number } | undefined;

export function LiveTable({ room }: { room: string }) {
  const live = useMemo(() => openLive(room), [room]);
  useEffect(() => () => live.close(), [live]);
  const session = live.session.value;
  const { scene } = session;
  const [open, setOpen] = useState<Open>();
  useEffect(() => {
    if (scene) noteDeal(scene.room, scene.hand, scene.commitment);
  }, [scene?.hand, scene?.commitment]);
  const now = useNow(scene?.turn != null && scene.phase === "playing");
  const listen = useKeys(scene, open !== undefined, () => setOpen("keys"));
  const bubbles = useBubbles(session.events, scene);

  if (!scene)
    return (
      <main class="table table-empty">
        <p role="status">
          {session.closing ||
            (live.link.value.kind === "lost" ? "The room does not answer. Trying again…" : "Taking your seat…")}
        </p>
        {live.link.value.kind !== "connecting" && <Link to="/">Home</Link>}
      </main>
    );
  const dice = scene.game === "perudo";
  const host = scene.you !== null && scene.host === scene.you;
  return (
    <div class="table">
      <TableTop
        live={live}
        session={session}
        scene={scene}
        onKeys={() => setOpen("keys")}
        onSettings={() => setOpen("settings")}
      />
      <main class="table-main">
        <Felt
          scene={scene}
          clock={clockLeft(scene, session.heardAt, now)}
          bubbles={bubbles}
          onEmpty={host ? (seat) => setOpen({ mindFor: seat }) : undefined}
        />
        <Hints hand={dice ? "dice" : "cards"} />
        <Action live={live} scene={scene} sent={isSent(session)} listen={listen} />
      </main>
      <Announce scene={scene} events={session.events} />
      <Panel live={live} session={session} scene={scene} />
      {open === "keys" && <Keys hand={dice ? "dice" : "cards"} onClose={() => setOpen(undefined)} />}
      {open === "settings" && <SettingsDialog onClose={() => setOpen(undefined)} />}
      {typeof open === "object" && (
        <MindDialog live={live} scene={scene} seat={open.mindFor} onClose={() => setOpen(undefined)} />
      )}
    </div>
  );
}

function Action({ live, scene, sent, listen }: { live: LiveRoom; scene: Scene; sent: boolean; listen: Listen }) {
  const refused = live.session.value.refused;
  const act = (action: number, words: string) => {
    if (scene.turn) live.send({ type: "act", hand: scene.hand, at: scene.turn.at, action }, words);
  };
  const key = `${scene.hand} ${scene.turn?.at ?? ""}`;
  return (
    <div class="action">
      {refused && (
        <p class="wrong" role="alert">
          {refused}
        </p>
      )}
      {sent && (
        <p class="action-wait" role="status">
          Sent. The room writes it down…
        </p>
      )}
      {!sent && scene.holdem_choices && (
        <ActionBar key={key} scene={scene} choices={scene.holdem_choices} act={act} listen={listen} />
      )}
      {!sent && scene.perudo_choices && scene.perudo && (
        <BidBar key={key} scene={scene} table={scene.perudo} choices={scene.perudo_choices} act={act} listen={listen} />
      )}
      {!sent && !scene.holdem_choices && !scene.perudo_choices && <Wait live={live} scene={scene} />}
    </div>
  );
}

/** When there is nothing to decide: what is waited for, or how to be in the game again. */
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
  if (scene.turn) return `${scene.seats[scene.turn.seat]?.name ?? "Somebody"} is thinking.`;
  if (scene.you === null) return "You are watching.";
  if (scene.phase === "over") return "The room is closed. Everything that was played is kept.";
  return scene.why ? "" : "The next one is being dealt.";
}

/** The page's clock, while somebody's turn runs. */
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
