// Mute switches for all others at the table, including bots. Stored only in this browser.

import { speakers } from "../logic/mute.ts";
import { mutedIn, setMuted } from "../store/mutes.ts";
import type { Scene } from "../wire.ts";
import { Tick } from "./SettingsDialog.tsx";

export function MuteList({ scene }: { scene: Scene }) {
  const muted = mutedIn(scene.room);
  const names = speakers(scene, muted);
  if (names.length === 0) return null;
  return (
    <details class="mutes">
      <summary>{muted.length ? `Mute (${muted.length} muted)` : "Mute"}</summary>
      {names.map((name) => (
        <Tick
          key={name}
          label={`Mute ${name}`}
          on={muted.includes(name)}
          set={(on) => setMuted(scene.room, name, on)}
        />
      ))}
      <p class="soft">Only for you. No one is notified.</p>
    </details>
  );
}
