// The user's settings.

import { change, settings } from "../store/settings.ts";
import { Dialog } from "./Dialog.tsx";

export function SettingsDialog({ onClose }: { onClose: () => void }) {
  const now = settings.value;
  return (
    <Dialog title="Settings" onClose={onClose}>
      <div class="settings">
        <label>
          <span>Your name</span>
          <input
            value={now.name}
            maxLength={24}
            placeholder="Guest"
            onInput={(event) => change({ name: event.currentTarget.value })}
          />
        </label>
        <Tick
          label="Colour-blind palette"
          on={now.palette === "safe"}
          set={(on) => change({ palette: on ? "safe" : "house" })}
        />
        <Tick label="Hints at the table" on={now.hints} set={(on) => change({ hints: on, hint: 0 })} />
        <Tick
          label="Perudo: the odds of a bid by your own dice"
          on={now.bidOdds}
          set={(on) => change({ bidOdds: on })}
        />
        <p class="soft">Stored only in this browser.</p>
      </div>
    </Dialog>
  );
}

interface TickProps {
  readonly label: string;
  readonly on: boolean;
  readonly set: (on: boolean) => void;
  readonly note?: string; // additional text
  readonly not?: string; // why it is disabled; "": it is enabled
}

export function Tick({ label, on, set, note = "", not = "" }: TickProps) {
  const word = not || note;
  return (
    <label class={`tick${not ? " tick-off" : ""}`}>
      <input
        type="checkbox"
        role="switch"
        checked={on}
        disabled={not !== ""}
        onChange={(event) => set(event.currentTarget.checked)}
      />
      <span>
        {label}
        {word && <small>{word}</small>}
      </span>
    </label>
  );
}
