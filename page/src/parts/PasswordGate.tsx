// The password form: nothing else is shown before it is given. The browser stores a pass, not the password.

import { useState } from "preact/hooks";
import { enter, Refusal } from "../store/house.ts";

export function PasswordGate({ onEnter }: { onEnter: () => void }) {
  const [password, setPassword] = useState("");
  const [why, setWhy] = useState("");
  const [asking, setAsking] = useState(false);
  async function give(): Promise<void> {
    setAsking(true);
    setWhy("");
    try {
      await enter(password);
      onEnter();
    } catch (error) {
      setWhy(error instanceof Refusal ? error.message : String(error));
      setAsking(false);
    }
  }
  return (
    <form
      class="gate"
      onSubmit={(event) => {
        event.preventDefault();
        void give();
      }}
    >
      <h2>This card room has a password</h2>
      <label class="field">
        <span>Password of this card room</span>
        <input
          type="password"
          autocomplete="current-password"
          value={password}
          onInput={(event) => setPassword(event.currentTarget.value)}
        />
        <small>Ask the operator of this server.</small>
      </label>
      <button type="submit" class="button button-main" disabled={asking || password === ""}>
        Come in
      </button>
      {why && (
        <p class="wrong" role="alert">
          {why}
        </p>
      )}
    </form>
  );
}
