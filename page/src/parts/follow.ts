// A list that stays scrolled to its end while it grows, unless the reader has scrolled up.

import { useLayoutEffect, useRef } from "preact/hooks";

const NEAR = 40; // pixels from the end that still count as the end

/** `length`: the length of the list; whenever it changes, the list is scrolled to its end. */
export function useFollow(list: { current: HTMLElement | null }, length: number): void {
  const away = useRef(false);
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return undefined;
    let top = element.scrollTop;
    // Only upward scrolling is by the reader: new lines are added below, and our own scrolling goes down.
    const look = () => {
      if (element.scrollTop < top) away.current = true;
      if (element.scrollHeight - element.scrollTop - element.clientHeight < NEAR) away.current = false;
      top = element.scrollTop;
    };
    element.addEventListener("scroll", look, { passive: true });
    return () => element.removeEventListener("scroll", look);
  }, [length > 0]);
  useLayoutEffect(() => {
    if (list.current && !away.current) list.current.scrollTop = list.current.scrollHeight;
  }, [length]);
}
