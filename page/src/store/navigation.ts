// The current route as a signal.

import { signal } from "@preact/signals";
import { pathOf, routeOf, type Route } from "../logic/route.ts";

export const route = signal<Route>(routeOf(location.pathname));

addEventListener("popstate", () => {
  route.value = routeOf(location.pathname);
});

/** Go to a page; `stay`: without scrolling to its top. */
export function go(next: Route, stay = false): void {
  history.pushState(null, "", pathOf(next));
  route.value = next;
  if (!stay) scrollTo(0, 0);
}
