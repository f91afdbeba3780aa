"""The Perudo screen: cups, your dice, the standing bid, and bids typed as `3 5` or `3 fives`."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from tahur.cli.perudo.command import print_odds, read_bid_words
from tahur.cli.play.screen import Screen, seat_and_verb
from tahur.cli.play.session import Session
from tahur.core.errors import IllegalAction
from tahur.core.game import Action, Game
from tahur.core.player import View
from tahur.core.record import Record
from tahur.games.perudo.bids import CALZA, DUDO, FIRST_BID, action_text, bid, count_of, face_of, matching
from tahur.games.perudo.card import rule_card
from tahur.games.perudo.table import PerudoTable, dice_of
from tahur.games.registry import game_of

DICE = "⚀⚁⚂⚃⚄⚅"


class PerudoScreen(Screen):
    """Two to eight cups."""

    units = ("die", "dice")
    deal_word = "round"
    opponents = "shark,turtle,chaos"
    is_full = True
    takes_models = False

    def __init__(self) -> None:
        self._last: Record | None = None  # the previous round, for `why`

    def tell_deal(self, out: Console, game: Game[Any], number: int, session: Session) -> None:
        self._last = session.records[-1] if session.records else None
        table = game.start()
        out.print()
        out.rule(f"[bold]round {number}[/]", align="left", style="dim")
        palifico = "; [bold]palifico[/]: aces are not wild" if not table.wild else ""
        opener = seat_and_verb(session, table.turn, "open")
        out.print(f"  [dim]{sum(table.cups)} dice are under the cups; {opener}[/]{palifico}")

    def draw(self, out: Console, view: View) -> None:
        """Show every cup (the user's own open), the bids so far, and the choices: calls and the lowest bids."""
        table: PerudoTable = view.table
        grid = Grid(box=None, padding=(0, 2, 0, 0), show_header=False)
        for seat, name in enumerate(view.names):
            dice = table.cups[seat]
            mine = seat == view.seat and view.hand is not None
            cup = dice_signs(dice_of(view.hand)) if mine and view.hand is not None else "▩ " * dice
            grid.add_row(
                Text(("▶ " if seat == table.turn else "  ") + name, style="bold" if mine else "" if dice else "dim"),
                Text(cup if dice else "out", style="bold" if mine else "dim"),
                Text(_last_action_text(table, seat), style="cyan"),
            )
        out.print(grid)
        if len(table.history) > 1:
            out.print("  [dim]" + " › ".join(map(action_text, table.history)) + "[/]")
        standing = f"standing: [bold]{action_text(table.standing)}[/]   " if table.standing else ""
        calls = "".join(f"[bold]{action_text(a)[0]}[/] {action_text(a)}   " for a in table.actions() if a < FIRST_BID)
        lowest = [low for face in range(1, 7) if (low := table.lowest(face)) is not None]
        least = ", ".join(action_text(low) for low in sorted(lowest, key=lambda low: (count_of(low), face_of(low))))
        bids = f"{'or ' if calls else ''}bid, from: {least}" if least else "nothing higher can be bid"
        tell(out, f"{standing}{calls}{bids}   [dim]? help, odds, why[/]")

    def prompt(self, view: View) -> str:
        return "> "

    def read(self, view: View, line: str) -> Action:
        return read_bid(view.table, line)

    def help(self, out: Console, view: View) -> None:
        out.print("  Bid [bold]3 5[/] or [bold]3 fives[/]; [bold]d[/] dudo, [bold]c[/] calza, [bold]q[/] quits.")
        out.print("  [bold]odds[/]: how likely each bid is true; [bold]why[/]: what the others thought last round.\n")
        tell(out, escape(rule_card(view.table.round.rules)), indent=0)

    def answer(self, out: Console, view: View, line: str) -> bool:
        if line.lower() not in ("why", "odds"):
            return False
        if line.lower() == "odds":
            print_ladder(out, view)
        else:
            tell_thoughts(out, self._last)
        return True

    def last_words(self, out: Console, session: Session) -> None:
        """Answer `why` about the last round too."""
        last = session.records[-1] if session.records else None
        if last is None or not last.thoughts:
            return
        try:
            while out.input("[dim]why: what they thought; Enter quits[/] > ").strip().lower() == "why":
                tell_thoughts(out, last)
        except EOFError:
            out.print()

    def tell_result(self, out: Console, next_game: Game[Any] | None, record: Record, session: Session) -> None:
        """Print the lifted cups with the dice that count, and who loses or wins a die."""
        game = game_of(record)
        *_, last = record.replay(game)
        face, count = face_of(last.standing), count_of(last.standing)
        counted, width = 0, max(map(len, record.names))
        for seat in game.revealed(last):
            dice = dice_of(record.hands[seat])
            match = matching(dice, face, wild=last.wild)
            counted += match
            counting = "1 of them counts" if match == 1 else f"{match} of them count"
            out.print(f"  {record.names[seat]:<{width}}  {dice_signs(dice):<9}  [dim]{counting}[/]")
        verdict = _verdict(count, counted, calza=record.actions[-1] == CALZA)
        was, are = "was" if count == 1 else "were", "is" if counted == 1 else "are"
        out.print(f"  {action_text(last.standing)} {was} bid, [bold]{counted}[/] {are} there: {verdict}")
        for seat, change in enumerate(record.payoffs):
            if change:
                verb = "lose" if change < 0 else "regain"
                out.print(f"  [bold]{seat_and_verb(session, seat, verb)}[/] a die")
        if next_game is None:
            winner = next(seat for seat, dice in enumerate(last.cups) if dice + record.payoffs[seat] > 0)
            out.print(f"[bold]  {seat_and_verb(session, winner, 'win')} the match.[/]")
        elif self.is_out(next_game, session.header.you):
            out.print("[bold]  You have no dice left.[/]")

    def is_out(self, game: Game[Any], seat: int) -> bool:
        return bool(game.start().cups[seat] == 0)


def read_bid(table: PerudoTable, line: str) -> Action:
    """Parse `3 5`, `3x5`, `3 fives`, `d`, `dudo`, `c` or `calza`."""
    word = line.strip().lower()
    for call in (DUDO, CALZA):
        if word in (action_text(call), action_text(call)[0]):
            return _check_call(table, call)
    parsed = read_bid_words(word)
    if parsed is None:
        raise IllegalAction(f"'{line}' is not understood; bid as 3 5 or 3 fives, or d for dudo, or ? for help")
    wanted, face = bid(*parsed), parsed[1]
    if wanted not in table.actions():
        low = table.lowest(face)
        hint = f"the lowest there is {action_text(low)}" if low is not None else "no bid on that face is left"
        raise IllegalAction(f"{action_text(wanted)} is not allowed now; {hint}")
    return wanted


def _check_call(table: PerudoTable, call: Action) -> Action:
    """A call, if there is a bid to call and the rules allow it."""
    if call in table.actions():
        return call
    if table.standing is None:
        raise IllegalAction(f"no bid stands yet, so there is nothing to call {action_text(call)} on; bid as 3 5")
    raise IllegalAction(f"{action_text(call)} cannot be called here by these rules; d for dudo, or bid as 3 5")


def print_ladder(out: Console, view: View) -> None:
    """Print every bid with its odds, given the user's dice."""

    assert view.hand is not None
    dice = dice_of(view.hand)
    print_odds(out, dice, view.table.round.total - len(dice), wild=view.table.wild)


def tell_thoughts(out: Console, record: Record | None) -> None:
    """What each mind thought at its decisions, in a finished round."""
    if record is None or not record.thoughts:
        out.print("  [dim]no thoughts yet: ask after a round with minds[/]")
        return
    for thought in record.thoughts:
        who, said_so = record.names[thought.seat], action_text(record.actions[thought.at])
        tell(out, f"[bold]{escape(who)}[/], {said_so}: [dim]{escape(thought.text)}[/]")


def tell(out: Console, words: str, *, indent: int = 2) -> None:
    """Wrap and indent on a terminal; one line in a pipe."""
    if out.is_terminal:
        out.print(Padding.indent(Text.from_markup(words), indent), soft_wrap=False)
    else:
        out.print(" " * indent + words)


def dice_signs(dice: tuple[int, ...]) -> str:
    return " ".join(DICE[die - 1] for die in dice)


def _last_action_text(table: PerudoTable, seat: int) -> str:
    actions = [action for at, action in enumerate(table.history) if table.seat_at(at) == seat]
    return action_text(actions[-1]) if actions else ""


def _verdict(count: int, counted: int, *, calza: bool) -> str:
    if calza and counted != count:
        return "not exactly"
    return "exactly" if counted == count else "met" if counted > count else "not met"
