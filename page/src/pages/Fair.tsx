// Fair play: what is promised, how it can be checked, and what it does not prove.

export function Fair() {
  return (
    <article class="prose">
      <h1>What is fair here</h1>
      <h2>The deal</h2>
      <p>
        Cards and dice come from the operating system’s secure randomness. Before the first one is dealt, the server
        fixes the whole deck: each card is written down with a secret salt, hashed, and the hash of all the hashes is
        shown to everybody. That is the commitment of the hand.
      </p>
      <p>
        Afterwards you may open every card that you were entitled to see, and this browser checks it against the
        commitment: in the history of a hand, “Check the deal”. In a terminal, <code>tahur room fair</code> does the
        same.
      </p>
      <h2>What this proves</h2>
      <p>
        That the deck was fixed before the first action, and that no card was changed to suit anybody’s betting. A hand
        that was folded is never opened, not even here.
      </p>
      <h2>What it does not prove</h2>
      <p>
        That whoever runs the server cannot see the cards: they lie in its memory, as they lie in a dealer’s hands. And
        that the deck was drawn at random: a dishonest server could choose a deck, commit to it, and keep to it. Play on
        a machine whose owner you trust; on your own, that is you.
      </p>
      <h2>The minds</h2>
      <p>
        A mind is given what its seat can see and nothing else: the table and its own hand. How long it thinks is drawn
        without looking at its cards. What it thought is shown when the hand is over, to those who played it.
      </p>
      <h2>Among people</h2>
      <p>
        One seat each. Play your own hand: no advice, no showing of cards, no help from a program in a hand with others.
        Losing hands may be thrown away unseen; what was not shown is not shown later, in replays neither.
      </p>
    </article>
  );
}
