// Every key, on `?`.

import { KEY_LINES, type Hand } from "../logic/keys.ts";
import { Dialog } from "./Dialog.tsx";

export function Keys({ hand, onClose }: { hand: Hand; onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl class="keys">
        {KEY_LINES[hand].map(([key, words]) => (
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
