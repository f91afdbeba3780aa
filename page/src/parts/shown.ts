// What the table shows: the current scene, or the moments of a hand's end one after another.

import { useEffect, useState } from "preact/hooks";
import { shownBy, type Session, type Shown } from "../logic/session.ts";
import type { Scene } from "../wire.ts";

export function useShown(session: Session, scene: Scene | null): Shown | undefined {
  const [, again] = useState(0);
  const shown = scene ? shownBy(session, scene, performance.now()) : undefined;
  useEffect(() => {
    if (shown?.next === undefined) return undefined;
    const timer = setTimeout(() => again((times) => times + 1), shown.next + 5);
    return () => clearTimeout(timer);
  });
  return shown;
}
