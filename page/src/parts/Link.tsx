// A link inside the page that navigates without reloading.

import type { ComponentChildren } from "preact";
import { routeOf } from "../logic/route.ts";
import { go } from "../store/navigation.ts";

interface Props {
  readonly to: string;
  readonly class?: string;
  readonly stay?: boolean; // keep the scroll position
  readonly label?: string; // a label for screen readers, if the text is not enough
  readonly children: ComponentChildren;
}

export function Link({ to, class: kind, label, stay = false, children }: Props) {
  return (
    <a
      href={to}
      class={kind}
      aria-label={label}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        go(routeOf(to), stay);
      }}
    >
      {children}
    </a>
  );
}
