// Beside the table: the log, the talk, and the last hand.

import { useState } from "preact/hooks";
import { dealWord } from "../logic/games.ts";
import type { Session } from "../logic/session.ts";
import type { LiveRoom } from "../store/room.ts";
import type { Scene } from "../wire.ts";
import { LastHand } from "./LastHand.tsx";
import { Log } from "./Log.tsx";
import { Talk } from "./Talk.tsx";

type Tab = "log" | "talk" | "last";

export function Panel({ live, session, scene }: { live: LiveRoom; session: Session; scene: Scene }) {
  const [tab, setTab] = useState<Tab>("log");
  const [talkSeen, setTalkSeen] = useState(0);
  const chats = session.events.filter((event) => event.kind === "chat").length;
  const finished = session.events.reduce((last, event) => (event.kind === "end" ? event.hand : last), 0);
  const choose = (next: Tab) => {
    setTab(next);
    if (next === "talk" || tab === "talk") setTalkSeen(chats);
  };
  const names: Record<Tab, string> = { log: "Log", talk: "Talk", last: `Last ${dealWord(scene.game)}` };
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
            onClick={() => choose(each)}
          >
            {names[each]}
            {each === "talk" && tab !== "talk" && chats > talkSeen && (
              <i class="tab-new" aria-label={`${chats - talkSeen} new`}>
                {chats - talkSeen}
              </i>
            )}
          </button>
        ))}
      </div>
      <div class="panel-body" role="tabpanel">
        {tab === "log" && <Log events={session.events} game={scene.game} gap={session.gap} />}
        {tab === "talk" && (
          <Talk
            events={session.events}
            scene={scene}
            say={scene.you === null ? undefined : (text) => live.send({ type: "say", text }, "word")}
          />
        )}
        {tab === "last" && <LastHand room={scene.room} hand={finished} scene={scene} events={session.events} />}
      </div>
    </aside>
  );
}
