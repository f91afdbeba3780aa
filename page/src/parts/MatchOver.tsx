// The end of a match: the winner, the placings, and the rematch button.

import { pathOf } from "../logic/route.ts";
import type { LiveRoom } from "../store/room.ts";
import type { FinishedMatch, Scene } from "../wire.ts";
import { Avatar } from "./Avatar.tsx";
import { Link } from "./Link.tsx";

export function MatchOver({ scene, match, live }: { scene: Scene; match: FinishedMatch; live: LiveRoom }) {
  const asked = match.again || live.session.value.pending.some(({ request }) => request.type === "rematch");
  return (
    <section class="match" aria-labelledby="match-title">
      <div class="match-face">
        <Avatar name={match.standings[0]?.name ?? ""} mind={scene.seats[match.winner]?.mind != null} />
      </div>
      <h2 id="match-title">{match.winner === scene.you ? "You win the match" : match.words}</h2>
      <p class="soft">
        {match.rounds === 1 ? "1 round was played" : `${match.rounds} rounds were played`}
      </p>
      <ol class="match-places">
        {match.standings.map((each) => (
          <li key={each.seat} class={each.seat === scene.you ? "match-own" : ""}>
            <b>{each.place}</b>
            <span>{each.name}</span>
            <small>{each.words}</small>
          </li>
        ))}
      </ol>
      {scene.phase === "over" ? (
        <p class="soft">The room is closed.</p>
      ) : scene.you === null ? (
        <p class="soft">Any player at the table can ask for a rematch.</p>
      ) : (
        <button
          type="button"
          class="button button-main"
          disabled={asked}
          onClick={() => live.send({ type: "rematch" }, "rematch")}
        >
          {asked ? "The dice are rolled…" : "Rematch"}
        </button>
      )}
      <Link to={pathOf({ page: "hands", room: scene.room })}>Every round of this room</Link>
    </section>
  );
}
