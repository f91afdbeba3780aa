// The commitments that this browser noted when hands were dealt: what a check afterwards is held against.

const KEY = "tahur-deals";
const MOST = 400; // hands

export function noteDeal(room: string, hand: number, commitment: string): void {
  const noted = read();
  const name = `${room}/${hand}`;
  if (!commitment || noted.some(([known]) => known === name)) return; // the first word counts
  try {
    localStorage.setItem(KEY, JSON.stringify([...noted, [name, commitment]].slice(-MOST)));
  } catch {
    // A browser that keeps nothing cannot hold anybody to it.
  }
}

/** What was committed to before the deal, as this browser saw it then; undefined if it was not there. */
export function notedDeal(room: string, hand: number): string | undefined {
  return read().find(([known]) => known === `${room}/${hand}`)?.[1];
}

function read(): [string, string][] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]") as [string, string][];
  } catch {
    return [];
  }
}
