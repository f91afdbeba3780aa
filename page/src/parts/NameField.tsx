// The user's name at the tables; stored in the settings.

import { change, settings } from "../store/settings.ts";

export function NameField() {
  return (
    <label class="field row">
      <span>Your name</span>
      <input
        value={settings.value.name}
        maxLength={24}
        placeholder="Guest"
        onInput={(event) => change({ name: event.currentTarget.value })}
      />
    </label>
  );
}
