// Checking a deal in the browser: every card that one was entitled to see against what was committed before the deal.

import type { Fairness } from "../wire.ts";

export interface Verdict {
  readonly right: boolean;
  readonly words: string;
}

export type Digest = (text: string) => Promise<string>; // SHA-256 in hexadecimal

/** `noted`: the commitment that was seen when the hand was dealt; undefined if nobody noted it here. */
export async function verify(fairness: Fairness, noted: string | undefined, digest: Digest): Promise<Verdict> {
  if (noted !== undefined && noted !== fairness.commitment) {
    return { right: false, words: "This is not the commitment that this browser noted when the hand was dealt." };
  }
  if ((await digest(fairness.digests.join(""))) !== fairness.commitment) {
    return { right: false, words: "The digests are not those that were committed to before the deal." };
  }
  for (const opening of fairness.openings) {
    const found = await digest(`${fairness.hand}:${opening.place}:${opening.value}:${opening.salt}`);
    if (found !== fairness.digests[opening.place]) {
      return { right: false, words: `${opening.whose}: ${opening.value} is not what was committed to.` };
    }
  }
  const many = `${fairness.openings.length} of ${fairness.digests.length} opened and checked in this browser`;
  return {
    right: true,
    words:
      noted === undefined
        ? `${many}: all as the server says it committed to. This browser was not there to note that before the deal.`
        : `${many}: all as committed before the deal.`,
  };
}

export async function sha256(text: string): Promise<string> {
  const sum = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(sum), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
