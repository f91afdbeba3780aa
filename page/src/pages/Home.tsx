// Home: one button to start a hand, and links to everything else.

import { useState } from "preact/hooks";
import { Asked } from "../parts/Asked.tsx";
import { Card } from "../parts/Card.tsx";
import { Die } from "../parts/Die.tsx";
import { Link } from "../parts/Link.tsx";
import { askHouse, openRoom, Refusal } from "../store/house.ts";
import { go } from "../store/navigation.ts";
import { change, ownName, settings } from "../store/settings.ts";
import type { House } from "../wire.ts";
import { listed } from "../logic/words.ts";
import { stakesWords } from "../logic/games.ts";

export function Home() {
  return (
    <div class="home">
      <section class="hero">
        <div class="hero-words">
          <h1>
            A quiet table,
            <br />
            and someone to bluff.
          </h1>
          <p class="lead">
            Hold’em and Perudo on this machine, against bots with character, and with friends by a link.
            No account; no data leaves this machine.
          </p>
          <Asked ask={askHouse} what="the house">
            {(house) => <Start house={house} />}
          </Asked>
        </div>
        <div class="hero-picture" aria-hidden="true">
          <Card card="As" />
          <Card card="Kh" />
          <Card card="Qd" />
          <Card card="Jc" />
          <span class="hero-dice">
            <Die face={1} />
            <Die face={5} />
          </span>
        </div>
      </section>
      <nav class="doors" aria-label="doors">
        <Link to="/new" class="door">
          <h2>New room</h2>
          <p>Choose the game, the stakes, the clock and who sits where.</p>
        </Link>
        <Link to="/rooms" class="door">
          <h2>Open rooms</h2>
          <p>Join one that has a free seat, continue in your own, or watch.</p>
        </Link>
        <Link to="/history" class="door">
          <h2>What was played</h2>
          <p>Replay every hand step by step, with exports and your results.</p>
        </Link>
        <Link to="/study" class="door">
          <h2>Study</h2>
          <p>Open a solved spot, walk its tree, and see what every hand does and what it is worth.</p>
        </Link>
      </nav>
    </div>
  );
}

function Start({ house }: { house: House }) {
  const [state, setState] = useState<"ready" | "opening" | string>("ready");
  const minds = (house.quick.minds ?? [])
    .map((mind) => house.minds.find((each) => each.mind === mind)?.name ?? mind)
    .filter((name): name is string => name !== null);
  async function start(): Promise<void> {
    setState("opening");
    try {
      const seated = await openRoom({ ...house.quick, name: ownName() });
      go({ page: "room", room: seated.room });
    } catch (error) {
      setState(error instanceof Refusal ? error.message : String(error));
    }
  }
  return (
    <div class="start">
      <button type="button" class="button button-main" disabled={state === "opening"} onClick={() => void start()}>
        {state === "opening" ? "Dealing…" : "Play a hand now"}
      </button>
      <label class="as">
        <span>as</span>
        <input
          value={settings.value.name}
          maxLength={24}
          placeholder="Guest"
          aria-label="your name at the table"
          onInput={(event) => change({ name: event.currentTarget.value })}
        />
      </label>
      <p class="soft">
        No-limit hold’em with {listed(minds)} · {stakesWords(house.quick)}
      </p>
      {state !== "ready" && state !== "opening" && (
        <p class="wrong" role="alert">
          {state}
        </p>
      )}
    </div>
  );
}
