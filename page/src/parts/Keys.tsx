// Every key, on `?`.

import type { Pieces } from "../logic/games.ts";
import { KEY_LINES } from "../logic/keys.ts";
import { Dialog } from "./Dialog.tsx";

export function Keys({ pieces, onClose }: { pieces: Pieces; onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl class="keys">
        {KEY_LINES[pieces].map(([key, words]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
