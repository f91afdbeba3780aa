// The host puts a bot on an empty seat.

import { mindsFor } from "../logic/newroom.ts";
import { askHouse } from "../store/house.ts";
import type { LiveRoom } from "../store/room.ts";
import type { Scene } from "../wire.ts";
import { Asked } from "./Asked.tsx";
import { Dialog } from "./Dialog.tsx";
import { Gallery } from "./Gallery.tsx";

export function MindDialog({
  live,
  scene,
  seat,
  onClose,
}: {
  live: LiveRoom;
  scene: Scene;
  seat: number;
  onClose: () => void;
}) {
  return (
    <Dialog title={`Who takes seat ${seat + 1}?`} onClose={onClose}>
      <Asked ask={askHouse} what="the bots">
        {(house) => (
          <Gallery
            minds={mindsFor(house, scene.game)}
            chosen={null}
            choose={(mind) => {
              if (mind !== null) live.send({ type: "put_mind", seat, mind }, "request");
              onClose();
            }}
          />
        )}
      </Asked>
    </Dialog>
  );
}
