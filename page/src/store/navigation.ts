// The current route as a signal.

import { signal } from "@preact/signals";
import { pathOf, routeOf, type Route } from "../logic/route.ts";

export const route = signal<Route>(routeOf(location.pathname));

addEventListener("popstate", () => {
  route.value = routeOf(location.pathname);
});

export function go(next: Route): void {
  history.pushState(null, "", pathOf(next));
  route.value = next;
  scrollTo(0, 0);
}
