// The moves of a decision with frequency, EV and combos; pressing one makes it. Below, the figures of both seats.

import { amountText, moveWords, paints, percentText } from "../../logic/study.ts";
import type { NodeView } from "../../wire.ts";

export function Moves({ node, take }: { node: NodeView; take: (move: string) => void }) {
  const colours = paints(node.moves);
  const likely = node.moves.reduce((best, move, at) => (move.frequency > node.moves[best]!.frequency ? at : best), 0);
  return (
    <section class="study-moves" aria-labelledby="moves-title">
      <h2 id="moves-title">Moves</h2>
      <p class="moves-legend" aria-hidden="true">
        <span>frequency</span>
        <span title={`EV in ${node.unit} of the hands that make the move: what the seat ends with from here on`}>
          EV, {node.unit}
        </span>
        <span>combos</span>
      </p>
      <ul>
        {node.moves.map((move, at) => {
          const [words, size] = moveWords(move);
          const ev = node.complete ? amountText(move.ev) : "…";
          return (
            <li key={move.name}>
              <button
                type="button"
                class="study-choice"
                data-likely={at === likely ? "" : undefined}
                onClick={() => take(move.name)}
                title={`then ${move.then}`}
              >
                <span class={`choice-sign ${colours[at]}`} />
                <span class="choice-words">
                  <b>{words}</b>
                  <small>{size || move.then}</small>
                </span>
                <span class="choice-number">{percentText(move.frequency)}</span>
                <span class="choice-number">
                  <span class="hidden">EV </span>
                  {ev}
                </span>
                <span class="choice-number">
                  {move.combos.toFixed(1)}
                  <span class="hidden"> combos</span>
                </span>
                <span class="choice-bar">
                  <span class={colours[at]} style={{ width: `${100 * move.frequency}%` }} />
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** EV, equity and EQR of both ranges. */
export function SeatFigures({ node }: { node: NodeView }) {
  const waits = node.complete ? "–" : "…";
  return (
    <table class="seat-figures">
      <caption class="hidden">Both ranges</caption>
      <thead>
        <tr>
          <th scope="col">range</th>
          <th scope="col" title={`the mean of what the range ends with from here on, in ${node.unit}, the pot included`}>
            EV, {node.unit}
          </th>
          <th scope="col" title="share of the pot if all further cards came without betting">
            equity
          </th>
          <th scope="col" title="equity realised: EV / (equity × pot)">
            EQR
          </th>
          <th scope="col" title="combos that come here, by weight">
            combos
          </th>
        </tr>
      </thead>
      <tbody>
        {node.seats.map((seat, number) => (
          <tr key={seat.name} class={number === node.seat ? "acts" : ""}>
            <th scope="row">{seat.name}</th>
            <td>{seat.ev === null ? waits : amountText(seat.ev)}</td>
            <td>{seat.equity === null ? waits : percentText(seat.equity)}</td>
            <td>{seat.realized === null ? waits : percentText(seat.realized, 0)}</td>
            <td>{seat.combos.toFixed(1)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
