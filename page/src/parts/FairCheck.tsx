// "Check the deal": the commitments of a hand, checked in this browser.

import { useState } from "preact/hooks";
import { sha256, verify, type Verdict } from "../logic/fairness.ts";
import { notedDeal } from "../store/deals.ts";
import { askFairness } from "../store/house.ts";
import { Link } from "./Link.tsx";

export function FairCheck({ room, hand }: { room: string; hand: number }) {
  const [verdict, setVerdict] = useState<Verdict>();
  const [why, setWhy] = useState("");
  const check = async () => {
    try {
      const fairness = await askFairness(room, hand);
      if (!globalThis.crypto?.subtle)
        throw new Error("This browser checks only on a secure address; `tahur room fair` does it in a terminal.");
      setVerdict(await verify(fairness, notedDeal(room, hand), sha256));
      setWhy(fairness.words);
    } catch (error) {
      setVerdict(undefined);
      setWhy(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <section class="fair-check">
      <h4>Was the deal fair?</h4>
      <button type="button" class="button" onClick={() => void check()}>
        Check the deal
      </button>
      {verdict && (
        <p class={verdict.right ? "right" : "wrong"} role="status">
          {verdict.right ? "✓ " : "✕ "}
          {verdict.words}
        </p>
      )}
      {why && <p class="soft">{why}</p>}
      <p>
        <Link to="/fair">What this proves, and what it does not</Link>
      </p>
    </section>
  );
}
