// The page's routes.

export type Route =
  | { readonly page: "home" }
  | { readonly page: "new" }
  | { readonly page: "rooms" }
  | { readonly page: "room"; readonly room: string }
  | { readonly page: "history" }
  | { readonly page: "hands"; readonly room: string }
  | { readonly page: "replay"; readonly room: string; readonly hand: number }
  | { readonly page: "fair" }
  | { readonly page: "study" }
  | { readonly page: "spot"; readonly spot: string; readonly line: readonly string[] }
  | { readonly page: "lost"; readonly path: string };

export function routeOf(path: string): Route {
  const parts = path.split("/").filter(Boolean).map(decodeURIComponent);
  const [first, second, third] = parts;
  if (parts.length === 0) return { page: "home" };
  if (parts.length === 1 && (first === "new" || first === "rooms" || first === "history" || first === "fair" || first === "study"))
    return { page: first };
  if (first === "room" && parts.length === 2 && second) return { page: "room", room: second };
  if (first === "history" && parts.length === 2 && second) return { page: "hands", room: second };
  if (first === "history" && parts.length === 3 && second && /^\d+$/.test(third ?? "")) {
    return { page: "replay", room: second, hand: Number(third) };
  }
  if (first === "study" && second) return { page: "spot", spot: second, line: parts.slice(2) };
  return { page: "lost", path };
}

export function pathOf(route: Route): string {
  switch (route.page) {
    case "home":
      return "/";
    case "room":
      return `/room/${encodeURIComponent(route.room)}`;
    case "hands":
      return `/history/${encodeURIComponent(route.room)}`;
    case "replay":
      return `/history/${encodeURIComponent(route.room)}/${route.hand}`;
    case "spot":
      return ["/study", ...[route.spot, ...route.line].map(encodeURIComponent)].join("/");
    case "lost":
      return route.path;
    default:
      return `/${route.page}`;
  }
}
