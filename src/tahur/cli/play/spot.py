"""The screen of a spot: hold'em that starts with a board, without blinds; results include half of the pot."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.text import Text

from tahur.cards.cards import Card, cards_of
from tahur.cards.evaluator import evaluate, rank_name
from tahur.cli.play.holdem import HoldemScreen
from tahur.cli.play.screen import said
from tahur.cli.play.session import Session
from tahur.core.game import Game
from tahur.core.record import Record
from tahur.games.registry import game_of
from tahur.show.cards import card_text


class SpotScreen(HoldemScreen):
    """The user alternates between out of position and in position."""

    def tell_deal(self, out: Console, game: Game[Any], number: int, session: Session) -> None:
        table = game.start()
        you = "in" if table.stakes.button == session.header.you else "out of"
        out.print()
        out.rule(f"[bold]hand {number}[/]", align="left", style="dim")
        about = f"   pot {table.pot:,}, stacks {min(table.stacks):,}; you are {you} position"
        out.print(Text.assemble("  ", card_text(map(Card, table.board)), (about, "dim")))

    def tell_result(self, out: Console, next_game: Game[Any] | None, record: Record, session: Session) -> None:
        game: Any = game_of(record)
        *_, last = record.replay(game)
        for seat in game.revealed(last):
            cards = cards_of(record.hands[seat])
            words = rank_name(evaluate((*cards, *last.board)))
            out.print(Text.assemble(f"  {said(session, seat, 'show')} ", card_text(cards), f", {words}"))
        payoff = record.payoffs[session.header.you]
        pot = f"half of the pot of {game.pot:,} counted as yours"
        out.print(f"  [bold]You are {payoff:+g}[/] [dim]({pot}); so far {session.tally():+g} chips[/]")
