// Empty and error states: what happened, what was saved, what to do.

import type { ComponentChildren } from "preact";

export function Notice({
  title,
  children,
  error = false,
}: {
  title: string;
  children?: ComponentChildren;
  error?: boolean;
}) {
  return (
    <div class={`notice${error ? " notice-error" : ""}`} role={error ? "alert" : "status"}>
      <h2>{title}</h2>
      {children}
    </div>
  );
}
