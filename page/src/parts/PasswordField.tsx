// The server's password, asked only where there is one; kept for this visit.

import { housePassword } from "../store/house.ts";

export function PasswordField({ needed }: { needed: boolean }) {
  if (!needed) return null;
  return (
    <label class="field">
      <span>Password of this card room</span>
      <input
        type="password"
        autocomplete="current-password"
        value={housePassword.value}
        onInput={(event) => {
          housePassword.value = event.currentTarget.value;
        }}
      />
      <small>Whoever runs this server can tell you.</small>
    </label>
  );
}
