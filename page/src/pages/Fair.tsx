// Fair play: what is promised, how it can be checked, and what it does not prove.

export function Fair() {
  return (
    <article class="prose">
      <h1>What is fair here</h1>
      <h2>The deal</h2>
      <p>
        Nobody chooses the cards, neither the server nor a player. Before each deal this browser makes a random seed and
        sends its hash. Then the server draws a whole deck, writes each card down with a secret salt, and shows everybody
        one hash of all of it: the cards, the dealing order, and the hashes of the players’ seeds. That is the commitment
        of the hand, and this browser notes it. Only then are the seeds revealed; together they shuffle the deck once
        more, and it is dealt.
      </p>
      <p>
        Afterwards every card that you were entitled to see is opened, and this browser checks it against its own notes:
        in the history of a hand, “Check the deal”. You can save the proof with your notes and check it without this
        server: <code>docs/verify_deal.py</code> is a short script to read and run, and <code>tahur room fair</code> does
        the same.
      </p>
      <h2>What this proves</h2>
      <p>
        If your seed was used: that nobody chose the deck, that it was fixed before the first action, and that each card
        you saw came from its own place in it, the board as well as the hands. A hand that was folded is never opened, not
        even here.
      </p>
      <h2>What it does not prove</h2>
      <p>
        That whoever runs the server cannot see the cards: they lie in its memory, as they lie in a dealer’s hands. A
        server together with a player could leave that player’s seed in or out, and so choose between two decks; the check
        names every seat whose seed was not revealed. Without a seed of yours, as when this page was not open or a room
        plays at once, the server alone drew the deck. And the page that checks comes from the server too. Play on a
        machine whose owner you trust; on your own, that is you.
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
