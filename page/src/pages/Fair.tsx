// Fair play: how a deal works, how to check it, and what the check does not prove.

export function Fair() {
  return (
    <article class="prose">
      <h1>What is fair here</h1>
      <h2>The deal</h2>
      <p>
        Neither the server nor a player can choose the cards. Before each deal this browser makes a random seed and sends
        its hash. Then the server draws a whole deck, seals each card with a secret salt, and shows everyone one hash of
        all of it: the cards, the dealing order, and the hashes of the players’ seeds. This hash is the commitment of the
        hand, and this browser stores it. Only then are the seeds revealed; together they shuffle the deck again, and it
        is dealt.
      </p>
      <p>
        Afterwards every card that you were entitled to see is opened, and this browser checks it against its own notes:
        use “Check the deal” in the history of a hand. You can save the proof with your notes and check it without this
        server: <code>docs/verify_deal.py</code> is a short script to read and run, and <code>tahur room fair</code> does
        the same.
      </p>
      <h2>What this proves</h2>
      <p>
        If your seed was used: no one chose the deck, it was fixed before the first action, and each card you saw, on the
        board and in hands, came from its place in it. A folded hand is never opened, not even here.
      </p>
      <h2>What it does not prove</h2>
      <p>
        That the server’s operator cannot see the cards: they are in its memory. A server together with a player could
        leave that player’s seed in or out, and so choose between two decks; the check names every seat whose seed was not
        revealed. Without a seed of yours (this page was not open, or the room plays at once) the server alone drew the
        deck. The page that does the check also comes from the server. Play on a server whose operator you trust, or run
        your own.
      </p>
      <h2>The bots</h2>
      <p>
        A bot gets only what its seat can see: the table and its own hand. Its thinking time does not depend on its cards.
        Its thoughts are shown when the hand is over, to those who played it.
      </p>
      <h2>Among people</h2>
      <p>
        One seat each. Play your own hand: no advice, no showing of cards, no help from a program in a hand with others.
        Losing hands may be mucked; a hand that was not shown is not shown later either, not even in replays.
      </p>
    </article>
  );
}
