// The accuracy of a solution, with what it means.

import { amountText } from "../../logic/study.ts";
import type { NodeView } from "../../wire.ts";

export function Badge({ node }: { node: NodeView }) {
  return (
    <details class="badge">
      <summary>
        exploitability {amountText(node.exploitability)}% of the pot
      </summary>
      <p>
        The accuracy of the whole solution: a best response would win {amountText(node.exploitability)}% of the starting
        pot more than these strategies let it, averaged over both seats. 0% is an exact equilibrium; below 0.5% the
        frequencies of close decisions can still change, their EVs hardly. Solved in {node.iterations} iterations.
      </p>
    </details>
  );
}
