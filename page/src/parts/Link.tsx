// A link inside the page: an ordinary one for the browser, without loading the page anew.

import type { ComponentChildren } from "preact";
import { routeOf } from "../logic/route.ts";
import { go } from "../store/navigation.ts";

export function Link({ to, class: kind, children }: { to: string; class?: string; children: ComponentChildren }) {
  return (
    <a
      href={to}
      class={kind}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        go(routeOf(to));
      }}
    >
      {children}
    </a>
  );
}
