"""How a game is drawn in the terminal and how input is parsed: the plain screen, from which others are derived."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console

from tahur.cli.play.session import Session
from tahur.core.errors import IllegalAction
from tahur.core.game import CHANCE, Action, Game
from tahur.core.player import View
from tahur.core.record import Record
from tahur.games.registry import game_of


class LeaveTable(Exception):
    """The user quits."""


class Screen:
    """Numbered choices, and one line for each event. Games with a special screen replace what differs."""

    units = ("chip", "chips")  # singular and plural
    deal_word = "hand"
    opponents = "caller,random"  # by default
    is_full = False  # whether the default opponents fill the table
    takes_models = True  # whether a language model can choose for personas

    def tell_deal(self, out: Console, game: Game[Any], number: int, session: Session) -> None:
        out.print(f"\n[bold]Hand {number}[/] [dim]{game.name}[/]")

    def tell_events(self, out: Console, view: View, seen: int) -> int:
        """Print the actions after the first `seen`; return the number of actions."""
        table = view.game.start()
        for at, action in enumerate(view.table.history):
            if at >= seen:
                out.print("  " + self.event(view, table, action))
            table = table.after(action)
        return len(view.table.history)

    def event(self, view: View, table: Any, action: Action) -> str:
        """An action in words."""
        if table.turn == CHANCE:
            return f"[dim]dealt: {view.game.label(table, action)}[/]"
        return f"{view.names[table.turn]}: {view.game.label(table, action)}"

    def draw(self, out: Console, view: View) -> None:
        """Show the table before the user's decision, with the choices."""
        if view.hand is not None:
            out.print(f"You hold [bold]{view.game.hand_text(view.hand)}[/]")
        choices = [
            f"[bold]{at}[/] {view.game.label(view.table, action)}" for at, action in enumerate(view.table.actions(), 1)
        ]
        out.print("  ".join(choices))

    def prompt(self, view: View) -> str:
        return "your move (? for help) > "

    def read(self, view: View, line: str) -> Action:
        """The action of a typed line; raises `IllegalAction` with what would be valid."""
        actions: Sequence[Action] = view.table.actions()
        labels = [view.game.label(view.table, action) for action in actions]
        if line.isdecimal() and 1 <= int(line) <= len(actions):
            return actions[int(line) - 1]
        begun = [action for action, label in zip(actions, labels, strict=True) if label.startswith(line.lower())]
        if line and len(begun) == 1:
            return begun[0]
        raise IllegalAction(f"'{line}' is not a choice here; type 1 to {len(actions)}: {', '.join(labels)}")

    def help(self, out: Console, view: View) -> None:
        out.print("Type the number of a choice, or its first letters. [bold]q[/] quits and saves the tally.")

    def answer(self, out: Console, view: View, line: str) -> bool:
        """Answer a question such as `why`; False if the line is not a question."""
        return False

    def last_words(self, out: Console, session: Session) -> None:
        """Answer questions after the last hand; here there are none."""

    def tell_result(self, out: Console, next_game: Game[Any] | None, record: Record, session: Session) -> None:
        you = session.header.you
        game = game_of(record)
        for seat in game.revealed(list(record.replay(game))[-1]):
            out.print(f"  {seat_and_verb(session, seat, 'show')} [bold]{game.hand_text(record.hands[seat])}[/]")
        out.print(f"  You {_result_text(record.payoffs[you], self.units)}; in all you are {session.tally():+g}.")

    def tell_tally(self, out: Console, session: Session) -> None:
        hands = len(session.records)
        tally = f"{session.tally():+g} {unit_of(session.tally(), self.units)}"
        out.print(f"\n[bold]{hands} {self.deal_word}{'' if hands == 1 else 's'}, {tally}.[/]")
        if hands:
            out.print(f"[dim]Saved in {session.path}[/]")
            out.print(f"[dim]Resume with: tahur play {session.header.game} --resume[/]")

    def is_out(self, game: Game[Any], seat: int) -> bool:
        """Whether a seat has no chips or dice left."""
        return False


def seat_and_verb(session: Session, seat: int, verb: str) -> str:
    """`You win`, `caller wins`, `You have`, `caller has`."""
    if seat == session.header.you:
        return f"You {verb}"
    return f"{session.header.names[seat]} {'has' if verb == 'have' else verb + 's'}"


def unit_of(amount: float, units: tuple[str, str] = Screen.units) -> str:
    """The unit of an amount: singular for 1 and -1, otherwise plural."""
    return units[0] if abs(amount) == 1 else units[1]


def _result_text(payoff: float, units: tuple[str, str]) -> str:
    """What the user won, to follow "You": `win 2 chips`, `lose 1 chip`, `break even`."""
    if payoff == 0:
        return "break even"
    amount = f"{abs(payoff):g} {unit_of(payoff, units)}"
    return f"[green]win {amount}[/]" if payoff > 0 else f"[red]lose {amount}[/]"
