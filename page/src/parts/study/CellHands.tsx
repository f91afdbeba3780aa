// The hands of one cell, suit by suit: what each does, its EV and its equity.

import { amountText, type Cell, paints, percentText } from "../../logic/study.ts";
import type { NodeView } from "../../wire.ts";
import { CardWords } from "../Card.tsx";

export function CellHands({ node, seat, cell }: { node: NodeView; seat: number; cell: Cell | undefined }) {
  const colours = paints(node.moves);
  return (
    <div class="cell-hands">
      <h3>{cell ? `${cell.name}, ${node.seats[seat]!.name}` : "Suits"}</h3>
      {!cell && <p class="soft">Point at a hand for its suits; click or press Enter to keep it.</p>}
      {cell && cell.hands.length === 0 && <p class="soft">Not in the range here.</p>}
      <ul>
        {cell?.hands.map((hand) => (
          <li key={hand.name}>
            <span class="hand-words">
              <CardWords card={hand.name.slice(0, 2)} />
              <CardWords card={hand.name.slice(2)} />
            </span>
            <span class="hand-bar">
              {hand.shares.map((share, move) => (
                <i
                  key={move}
                  class={colours[move]}
                  style={{ width: `${100 * share}%` }}
                  title={`${node.moves[move]!.name} ${percentText(share)}`}
                />
              ))}
            </span>
            <small>
              {hand.ev === null ? "" : `EV ${amountText(hand.ev)} · ${percentText(hand.equity, 0)} equity · `}
              weight {percentText(hand.weight, 0)}
            </small>
          </li>
        ))}
      </ul>
    </div>
  );
}
