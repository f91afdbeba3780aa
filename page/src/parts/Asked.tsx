// Data requested from the server: while loading, loaded, or failed.

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Refusal } from "../store/house.ts";
import { Notice } from "./Notice.tsx";
import { PasswordGate } from "./PasswordGate.tsx";

interface Props<T> {
  readonly ask: () => Promise<T>;
  readonly what: string; // "the rooms"
  readonly again?: unknown; // requested again when this changes
  readonly around?: (inner: ComponentChildren) => ComponentChildren; // shown until it is loaded
  readonly children: (value: T, reload: () => void) => ComponentChildren;
}

export function Asked<T>({ ask, what, again, around = (inner) => inner, children }: Props<T>) {
  const [value, setValue] = useState<{ readonly of: T } | Refusal>();
  const [times, setTimes] = useState(0);
  useEffect(() => {
    let gone = false;
    const keep = (next: { readonly of: T } | Refusal) => {
      if (!gone) setValue(next);
    };
    ask().then(
      (of) => keep({ of }),
      (error: unknown) => keep(error instanceof Refusal ? error : new Refusal(String(error), 0)),
    );
    return () => {
      gone = true;
    };
  }, [times, again]);
  const reload = () => setTimes((now) => now + 1); // right from an older render, too
  if (value === undefined)
    return around(
      <p class="soft" role="status">
        Asking for {what}…
      </p>,
    );
  if (value instanceof Refusal && value.password) return around(<PasswordGate onEnter={reload} />);
  if (value instanceof Refusal) {
    return around(
      <Notice title={`${what[0]!.toUpperCase()}${what.slice(1)} could not be loaded`} error>
        <p>{value.message}</p>
        <button type="button" class="button" onClick={reload}>
          Try again
        </button>
      </Notice>,
    );
  }
  return <>{children(value.of, reload)}</>;
}
