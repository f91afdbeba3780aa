// The link by which others join a room.

const HERE = ["localhost", "127.0.0.1", "[::1]"];

/** A link that works on other machines; undefined if the server listens only on this machine. */
export function inviteLink(
  here: Pick<Location, "hostname" | "href" | "pathname">,
  address: string | null,
): string | undefined {
  if (!HERE.includes(here.hostname)) return here.href;
  return address === null ? undefined : address + here.pathname;
}
