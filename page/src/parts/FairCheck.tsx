// "Check the deal": the server's proof of a hand against this browser's own notes, and both as a file.

import { useState } from "preact/hooks";
import { verify, verifyOlder, type Verdict } from "../logic/fairness.ts";
import { notedDeal, unseenDeals } from "../store/deals.ts";
import { askFairness, Refusal } from "../store/house.ts";
import type { DealNotes, Fairness } from "../wire.ts";
import { Link } from "./Link.tsx";

interface Checked {
  readonly proof: Fairness;
  readonly notes: DealNotes | undefined;
  readonly verdict: Verdict;
}

export function FairCheck({ room, hand }: { room: string; hand: number }) {
  const [checked, setChecked] = useState<Checked>();
  const [failed, setFailed] = useState("");
  const check = async () => {
    try {
      setChecked(await checkDeal(room, hand));
      setFailed("");
    } catch (error) {
      setChecked(undefined);
      setFailed(error instanceof Error ? error.message : String(error));
    }
  };
  const verdict = checked?.verdict;
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
      {(failed || checked) && <p class="soft">{failed || checked?.proof.words}</p>}
      {checked?.notes && (
        <p>
          <a download={`deal-${room}-${hand}.json`} href={asFile(checked)}>
            Save the proof and your notes
          </a>
        </p>
      )}
      <p>
        <Link to="/fair">What this proves, and what it does not</Link>
      </p>
    </section>
  );
}

async function checkDeal(room: string, hand: number): Promise<Checked> {
  const proof = await askFairness(room, hand);
  const noted = notedDeal(room, hand);
  if (!proof.header && (noted === undefined || typeof noted === "string"))
    return { proof, notes: undefined, verdict: verifyOlder(proof, noted) };
  const notes =
    typeof noted === "string" ? { commitment: noted, seat: null, seed: null, hands: [], board: [] } : noted;
  const verdict = verify(proof, notes);
  const dropped = verdict.right ? await droppedDeal(room, hand) : undefined;
  return { proof, notes, verdict: dropped ?? verdict };
}

/** A warning about a sealed deck for which this browser's seed was revealed but which was never dealt. */
async function droppedDeal(room: string, hand: number): Promise<Verdict | undefined> {
  for (const other of unseenDeals(room, hand))
    try {
      await askFairness(room, other);
    } catch (error) {
      if (error instanceof Refusal && error.status === 404)
        return { right: false, words: `A deck was sealed for hand ${other} and your seed revealed; it was never dealt.` };
      throw error;
    }
  return undefined;
}

const asFile = ({ proof, notes }: Checked) =>
  `data:application/json,${encodeURIComponent(JSON.stringify({ proof, notes }))}`;
