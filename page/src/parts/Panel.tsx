// Beside the table: the log, the talk, and the last hand.

import { useState } from "preact/hooks";
import { GAMES } from "../logic/games.ts";
import type { LiveRoom } from "../store/room.ts";
import type { Event as RoomEvent, Scene } from "../wire.ts";
import { LastHand } from "./LastHand.tsx";
import { Log } from "./Log.tsx";
import { Talk } from "./Talk.tsx";
import { useUnread } from "./unread.ts";

type Tab = "log" | "talk" | "last";

interface Props {
  readonly live: LiveRoom;
  readonly events: readonly RoomEvent[];
  readonly gap: boolean;
  readonly scene: Scene;
}

export function Panel({ live, events, gap, scene }: Props) {
  const [tab, setTab] = useState<Tab>("log");
  const unread = useUnread(scene, events, tab === "talk");
  const finished = events.reduce((last, event) => (event.kind === "end" ? event.hand : last), 0);
  const names: Record<Tab, string> = { log: "Log", talk: "Talk", last: `Last ${GAMES[scene.game].deal}` };
  return (
    <aside class="panel" aria-label="log, talk, last hand">
      <div class="tabs" role="tablist">
        {(Object.keys(names) as Tab[]).map((each) => (
          <button
            key={each}
            type="button"
            role="tab"
            aria-selected={tab === each}
            class={tab === each ? "tab tab-on" : "tab"}
            onClick={() => setTab(each)}
          >
            {names[each]}
            {each === "talk" && unread > 0 && (
              <i class="tab-new">
                {unread}
                <span class="hidden"> new</span>
              </i>
            )}
          </button>
        ))}
      </div>
      <div class="panel-body" role="tabpanel">
        {tab === "log" && <Log events={events} game={scene.game} gap={gap} />}
        {tab === "talk" && (
          <Talk
            events={events}
            scene={scene}
            unsaid={live.session.value.unsaid}
            say={scene.you === null ? undefined : (text) => live.send({ type: "say", text }, "word")}
          />
        )}
        {tab === "last" && <LastHand room={scene.room} hand={finished} scene={scene} events={events} />}
      </div>
    </aside>
  );
}
