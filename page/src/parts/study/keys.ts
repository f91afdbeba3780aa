// The keyboard of a node: left or Backspace goes back, up and down mark a move, Enter or right takes the marked one.

import { useLayoutEffect } from "preact/hooks";

/** Parts with arrow keys of their own, such as the matrix, have the attribute data-arrows. */
export function useStudyKeys(line: readonly string[], walk: (line: readonly string[]) => void): void {
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
      if (target.matches("input, textarea, select")) return;
      const arrows = !target.closest("[data-arrows]");
      if (event.key === "Backspace" || (event.key === "ArrowLeft" && arrows)) {
        if (line.length) walk(line.slice(0, -1));
      } else if (arrows && (event.key === "ArrowUp" || event.key === "ArrowDown")) mark(event.key === "ArrowUp" ? -1 : 1);
      else if (arrows && event.key === "ArrowRight") take();
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
}

const choices = () => [...document.querySelectorAll<HTMLElement>(".study-choice")];

/** Focus the next or the previous move. */
function mark(by: number): void {
  const all = choices();
  if (!all.length) return;
  const now = all.indexOf(document.activeElement as HTMLElement);
  if (now < 0) focusLikely();
  else all[(now + by + all.length) % all.length]!.focus();
}

/** Focus the most frequent move, or the grid of next cards. */
function focusLikely(): void {
  document.querySelector<HTMLElement>(".study-choice[data-likely], .runout[tabindex='0']")?.focus({ preventScroll: true });
}

/** At a new node the focus goes to the most frequent move, unless it is somewhere else, such as in the matrix. */
export function followFocus(): void {
  const active = document.activeElement;
  if (active === null || active === document.body || active.matches(".study-choice")) focusLikely();
}

/** Take the focused move. */
function take(): void {
  const active = document.activeElement as HTMLElement;
  if (choices().includes(active)) active.click();
}

/** The index after an arrow key in a grid; the same index for any other key. */
export function gridStep(key: string, at: number, columns: number, count: number): number {
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[key];
  if (step === undefined) return at;
  const next = at + step;
  return next >= 0 && next < count ? next : at;
}
