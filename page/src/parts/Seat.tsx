// One chair: the player, the stack, the last action, and the hand as far as the viewer may see it.

import type { ClockLeft } from "../logic/session.ts";
import { grouped } from "../logic/sizing.ts";
import { actionKind, percent } from "../logic/words.ts";
import { GAMES, holdemTable, perudoTable } from "../logic/games.ts";
import type { Scene, SeatScene } from "../wire.ts";
import { ActionSign } from "./ActionSign.tsx";
import { Avatar } from "./Avatar.tsx";
import { Card, CardBack } from "./Card.tsx";
import { Counted } from "./Counted.tsx";
import { ClockRing, clockWords } from "./ClockRing.tsx";
import { Cup, Die } from "./Die.tsx";

interface Props {
  readonly scene: Scene;
  readonly seat: SeatScene;
  readonly clock: ClockLeft | undefined;
  readonly bubble: string | undefined;
  readonly empty: EmptyChair | undefined;
}

/** The action on an empty chair. */
export interface EmptyChair {
  readonly words: string; // "take this seat"
  readonly choose: (seat: number) => void;
}

export function Seat({ scene, seat, clock, bubble, empty }: Props) {
  if (seat.state === "empty") return <EmptySeat seat={seat.seat} empty={empty} />;
  const turn = scene.turn?.seat === seat.seat;
  const you = scene.you === seat.seat;
  const kind = ["seat", turn && "seat-turn", you && "seat-you", paidAt(scene, seat) > 0 && "seat-won", paidAt(scene, seat) < 0 && "seat-lost", ...stateClass(seat)].filter(Boolean).join(" ");
  return (
    <section class={kind} aria-label={seatWords(scene, seat)}>
      {bubble && <p class="bubble">{bubble}</p>}
      <Holding scene={scene} seat={seat} />
      <div class="seat-plate">
        <span class="seat-face">
          {turn && <ClockRing clock={clock} />}
          <Avatar name={seat.name} mind={seat.mind !== null} />
          {holdemTable(scene)?.button === seat.seat && (
            <span class="button-disc" title="the button">
              D
            </span>
          )}
        </span>
        <span class="seat-text">
          <span class="seat-name">
            {you ? (
              <>
                <b>{seat.name}</b> <i>you</i>
              </>
            ) : (
              seat.name
            )}
          </span>
          <span class="seat-chips">
            {asksModel(seat) && <abbr title="a language model chooses for this persona">LLM</abbr>}
            {GAMES[scene.game].pieces === "dice" ? (
              `${seat.chips} ${GAMES[scene.game].unit(seat.chips)}`
            ) : (
              <Counted key={scene.hand} chips={seat.chips} up={paidAt(scene, seat) > 0} />
            )}
          </span>
        </span>
      </div>
      <Doing scene={scene} seat={seat} clock={turn ? clock : undefined} turn={turn} />
    </section>
  );
}

function EmptySeat({ seat, empty }: { seat: number; empty: Props["empty"] }) {
  return (
    <section class="seat seat-empty" aria-label={`seat ${seat + 1}, empty`}>
      {empty ? (
        <button type="button" class="seat-free" onClick={() => empty.choose(seat)}>
          Empty seat<small>{empty.words}</small>
        </button>
      ) : (
        <span class="seat-free">Empty seat</span>
      )}
    </section>
  );
}

/** The space of two cards, so that a seat does not move when its hand is folded or dealt. */
function NoCards() {
  return (
    <span class="holding cards holding-none" aria-hidden="true">
      <CardBack />
      <CardBack />
    </span>
  );
}

function Holding({ scene, seat }: { scene: Scene; seat: SeatScene }) {
  if (GAMES[scene.game].pieces === "dice") {
    if (seat.hand.length === 0 && seat.hidden === 0) return null;
    return (
      <span class="holding dice">
        {seat.hand.length ? (
          seat.hand.map((die, at) => (
            <Die
              key={at}
              face={Number(die)}
              counts={seat.lit.includes(at)}
              dim={perudoTable(scene)?.found != null && !seat.lit.includes(at)}
            />
          ))
        ) : (
          <Cup dice={seat.hidden} />
        )}
      </span>
    );
  }
  if (seat.hand.length === 0 && seat.hidden === 0) return <NoCards />;
  return (
    <span class="holding cards">
      {seat.hand.map((card, at) => (
        <Card
          key={card}
          card={card}
          lit={seat.lit.includes(at)}
          dim={seat.state === "folded" || (isLit(scene) && !seat.lit.includes(at))}
        />
      ))}
      {Array.from({ length: seat.hidden }, (_, at) => (
        <CardBack key={at} />
      ))}
    </span>
  );
}

function Doing({
  scene,
  seat,
  clock,
  turn,
}: {
  scene: Scene;
  seat: SeatScene;
  clock: ClockLeft | undefined;
  turn: boolean;
}) {
  if (turn && clock)
    return <span class={`doing doing-clock${clock.inBank ? " doing-bank" : ""}`}>{clockWords(clock)}</span>;
  if (turn) return <span class="doing doing-clock">{scene.you === seat.seat ? "your turn" : "thinking"}</span>;
  if (seat.equity !== null) return <span class="doing doing-equity">{percent(seat.equity)} to win</span>;
  if (seat.made) return <span class="doing doing-made">{seat.made}</span>;
  const words =
    seat.last || (seat.state === "next hand" && scene.phase === "playing" ? "plays the next" : stateWords(seat));
  if (!words) return <span class="doing doing-none">&nbsp;</span>;
  return (
    <span class={`doing doing-${actionKind(words)}`}>
      <ActionSign kind={actionKind(words)} />
      {words}
    </span>
  );
}

/** Whether some cards are highlighted, so that the others are dimmed. */
export function isLit(scene: Scene): boolean {
  const table = holdemTable(scene);
  return table !== null && (table.lit.length > 0 || scene.seats.some((seat) => seat.lit.length > 0));
}

/** What the seat is paid at this moment; negative for a lost die. */
function paidAt(scene: Scene, seat: SeatScene): number {
  const at = scene.news?.seats.indexOf(seat.seat) ?? -1;
  return at < 0 ? 0 : (scene.news?.paid[at] ?? 0);
}

function asksModel(seat: SeatScene): boolean {
  return seat.mind?.startsWith("llm:") ?? false;
}

function stateClass(seat: SeatScene): string[] {
  const state = seat.state.replace(" ", "-");
  return [`seat-${state}`, seat.here ? "" : "seat-away"];
}

function stateWords(seat: SeatScene): string {
  if (!seat.here) return "away";
  return seat.state === "in" || seat.state === "next hand" ? "" : seat.state;
}

function seatWords(scene: Scene, seat: SeatScene): string {
  const parts = [
    seat.name,
    scene.you === seat.seat ? "you" : "",
    seat.mind === null ? "" : asksModel(seat) ? "a bot with a language model" : "a mind",
    `${grouped(seat.chips)} ${GAMES[scene.game].unit(seat.chips)}`,
  ];
  parts.push(holdemTable(scene)?.button === seat.seat ? "has the button" : "", seat.made || seat.last || stateWords(seat));
  parts.push(seat.equity === null ? "" : `${percent(seat.equity)} to win`);
  parts.push(scene.turn?.seat === seat.seat ? "to act" : "");
  return parts.filter(Boolean).join(", ");
}
