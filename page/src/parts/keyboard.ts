// The keyboard of the table: key presses become intents, passed to the current action bar.

import { useSignal } from "@preact/signals";
import { useLayoutEffect } from "preact/hooks";
import { GAMES } from "../logic/games.ts";
import { intentOf, type Intent } from "../logic/keys.ts";
import type { Scene } from "../wire.ts";

export type Listen = (hear: (intent: Intent) => void) => () => void;

/** Keys of the page, passed to the current action bar. */
export function useKeys(scene: Scene | null, onHelp: () => void): Listen {
  const heard = useSignal<((intent: Intent) => void) | undefined>(undefined);
  // A layout effect: the keys work from the moment the table is shown.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!scene || event.repeat || document.querySelector("dialog[open]")) return; // a dialog has its own keys
      const target = event.target as HTMLElement;
      const typing = target.matches("input:not([type=range]):not([type=checkbox]), textarea, select");
      // Enter on a button presses that button; arrows on the slider move it.
      if (event.key === "Enter" && target.matches("button, a, summary")) return;
      if (event.key.startsWith("Arrow") && !target.matches("body, button, .face, .size")) return;
      const intent = intentOf(
        { key: event.key, typing, modified: event.ctrlKey || event.altKey || event.metaKey },
        GAMES[scene.game].pieces,
      );
      if (!intent) return;
      if (intent.kind === "help") onHelp();
      else if (heard.peek()) heard.peek()!(intent);
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
  return (hear) => {
    heard.value = hear;
    return () => {
      if (heard.peek() === hear) heard.value = undefined;
    };
  };
}
