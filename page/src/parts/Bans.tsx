// For the host: the bans of the room, each with a button to lift it.

import type { LiveRoom } from "../store/room.ts";
import type { Scene } from "../wire.ts";
import { Dialog } from "./Dialog.tsx";

export function Bans({ live, scene, onClose }: { live: LiveRoom; scene: Scene; onClose: () => void }) {
  return (
    <Dialog title="Banned from this room" onClose={onClose}>
      {scene.bans.length === 0 && <p>No one is banned.</p>}
      <ul class="bans">
        {scene.bans.map(({ ban, name, address }) => (
          <li key={ban}>
            <span>
              <b>{name}</b>
              <small>{address ? "this browser and this address" : "this browser only"}</small>
            </span>
            <button type="button" class="button" onClick={() => live.send({ type: "lift_ban", ban }, "request")}>
              Lift<span class="hidden"> the ban of {name}</span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
