"""The hold'em screen: seats, stacks and bets, the board in four colours, and choices by key or by size."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from tahur.cards.cards import Card, cards_of
from tahur.cards.evaluator import evaluate, rank_name
from tahur.cli.play.screen import Screen, seat_and_verb, unit_of
from tahur.cli.play.session import Session
from tahur.core.errors import IllegalAction
from tahur.core.game import CHANCE, Action, Game
from tahur.core.player import View
from tahur.core.record import Record
from tahur.games.holdem.rules import Holdem
from tahur.games.holdem.stakes import Limit, NoLimit
from tahur.games.holdem.table import CALL, FOLD, HoldemTable
from tahur.games.registry import game_of
from tahur.show.cards import card_text

STREETS = {3: "flop", 4: "turn", 5: "river"}
WORDS = {"f": FOLD, "fold": FOLD, "c": CALL, "call": CALL, "k": CALL, "check": CALL, "x": CALL}
_AMOUNT = re.compile(r"(?:raise|bet|r|b)?\s*(?:to)?\s*(?P<number>[0-9][0-9,]{0,11}(?:\.[0-9]{1,6})?)\s*(?P<unit>bb|%)?")
KEYS = {"m": "m", "h": "h", "p": "p", "pot": "p", "r": "r", "raise": "r", "bet": "r"} | dict.fromkeys(
    ("a", "all", "allin", "all-in"), "a"
)


class HoldemScreen(Screen):
    """No-limit and limit, two to nine seats."""

    def __init__(self) -> None:
        self._last: Record | None = None  # the previous hand, for `why`

    def tell_deal(self, out: Console, game: Game[Any], number: int, session: Session) -> None:
        stakes = game.start().stakes
        small, big = stakes.blind_seats
        out.print()
        out.rule(f"[bold]hand {number}[/]", align="left", style="dim")
        posted = ((small, stakes.blinds[0]), (big, stakes.blinds[1]))
        blinds = ", ".join(f"{seat_and_verb(session, seat, 'post')} {chips}" for seat, chips in posted)
        out.print(f"  [dim]{seat_and_verb(session, stakes.button, 'have')} the button; {blinds}[/]")

    def tell_events(self, out: Console, view: View, seen: int) -> int:
        """Print the actions and cards after the first `seen` actions, and return the number of actions."""
        table = view.game.start()
        for at, action in enumerate(view.table.history):
            later = table.after(action)
            if at >= seen:
                _tell(out, view, table, later, action)
                _tell_talk(out, view, at)
            table = later
        return len(view.table.history)

    def draw(self, out: Console, view: View) -> None:
        out.print(table_grid(view))
        out.print(choices_text(view))

    def prompt(self, view: View) -> str:
        return "> "

    def read(self, view: View, line: str) -> Action:
        return read_action(view.table, line)

    def help(self, out: Console, view: View) -> None:
        out.print(
            "  [bold]f[/] fold   [bold]c[/] check or call   [bold]m[/] minimum raise   [bold]h[/] half the pot   "
            "[bold]p[/] the pot   [bold]a[/] all-in\n"
            "  Or type what to raise [italic]to[/]: [bold]120[/] chips, [bold]2.5bb[/] big blinds, [bold]60%[/] of the "
            "pot after calling.\n  [bold]why[/] shows what the others thought in the last hand. "
            "[bold]q[/] quits and saves the tally; the unfinished hand is void."
        )

    def answer(self, out: Console, view: View, line: str) -> bool:
        if line.lower() != "why":
            return False
        tell_thoughts(out, self._last)
        return True

    def last_words(self, out: Console, session: Session) -> None:
        """Answer `why` about the last hand too."""
        if self._last is None or not self._last.thoughts:
            return
        try:
            while out.input("[dim]why: what they thought; Enter quits[/] > ").strip().lower() == "why":
                tell_thoughts(out, self._last)
        except EOFError:
            out.print()

    def tell_result(self, out: Console, next_game: Game[Any] | None, record: Record, session: Session) -> None:
        """Print the shown hands, what each seat won, and the tally in chips and big blinds."""
        self._last = record
        game = game_of(record)
        *_, last = record.replay(game)
        for seat in game.revealed(last):
            cards = cards_of(record.hands[seat])
            shown = Text.assemble(
                f"  {seat_and_verb(session, seat, 'show')} ", card_text(cards), f", {_words(cards, last.board)}"
            )
            out.print(shown)
        for seat, payoff in enumerate(record.payoffs):
            if payoff > 0:
                out.print(f"  [bold]{seat_and_verb(session, seat, 'win')} {payoff:g}[/]")
        big, tally = last.stakes.blinds[1], session.tally()
        out.print(f"  [dim]so far you are {tally:+g} {unit_of(tally)} ({tally / big:+.1f} bb)[/]")
        if next_game is None:
            out.print("[bold]  One seat has all the chips: the match is over.[/]")
        elif self.is_out(next_game, session.header.you):
            out.print("[bold]  You are out of chips.[/]")

    def tell_tally(self, out: Console, session: Session) -> None:
        """As any screen, and how to review the hands if they can be judged."""
        super().tell_tally(out, session)
        game = game_of(session.records[-1]) if session.records else None
        if isinstance(game, Holdem) and isinstance(game.stakes.structure, NoLimit) and len(game.stakes.order) == 2:
            out.print(f"[dim]Review your decisions with: tahur hands review {session.path}[/]")

    def is_out(self, game: Game[Any], seat: int) -> bool:
        return bool(game.start().stakes.stacks[seat] == 0)


class SpotScreen(HoldemScreen):
    """Hold'em that starts with a board, without blinds; the user alternates between out of position and in position."""

    def tell_deal(self, out: Console, game: Game[Any], number: int, session: Session) -> None:
        table = game.start()
        you = "in" if table.stakes.button == session.header.you else "out of"
        out.print()
        out.rule(f"[bold]hand {number}[/]", align="left", style="dim")
        about = f"   pot {table.pot:,}, stacks {min(table.stacks):,}; you are {you} position"
        out.print(Text.assemble("  ", card_text(map(Card, table.board)), (about, "dim")))

    def tell_result(self, out: Console, next_game: Game[Any] | None, record: Record, session: Session) -> None:
        """Print the shown hands, what the user won, and the tally in chips."""
        game: Any = game_of(record)
        *_, last = record.replay(game)
        for seat in game.revealed(last):
            cards = cards_of(record.hands[seat])
            words = rank_name(evaluate((*cards, *last.board)))
            out.print(Text.assemble(f"  {seat_and_verb(session, seat, 'show')} ", card_text(cards), f", {words}"))
        payoff, tally = record.payoffs[session.header.you], session.tally()
        pot = f"half of the pot of {game.pot:,} counted as yours"
        out.print(f"  [bold]You are {payoff:+g}[/] [dim]({pot}); so far {tally:+g} {unit_of(tally)}[/]")


def table_grid(view: View) -> Grid:
    """The table as seen by the seat."""
    table: HoldemTable = view.table
    grid = Grid(box=None, padding=(0, 2, 0, 0), show_header=False)
    for _ in range(5):
        grid.add_column()
    title = Text.assemble(
        ("  " + (STREETS.get(len(table.board), "before the flop")), "bold"), "  ", card_text(map(Card, table.board))
    )
    for seat, name in enumerate(view.names):
        if not table.stakes.stacks[seat]:
            continue
        mine = seat == view.seat
        state = "folded" if seat in table.folded else "all-in" if seat in table.all_in else ""
        grid.add_row(
            Text(
                ("▶ " if seat == table.turn else "  ") + name,
                style="bold" if mine else "dim" if state == "folded" else "",
            ),
            Text("button" if seat == table.stakes.button else "", style="yellow"),
            Text(f"{table.stacks[seat]:,}", justify="right"),
            Text(f"bet {table.bets[seat]:,}" if table.bets[seat] else state, style="cyan"),
            card_text(cards_of(view.hand)) if mine and view.hand is not None else Text(),
        )
    outer = Grid(box=None, show_header=False)
    outer.add_row(title.append(f"   pot {table.pot:,}", "yellow"))
    outer.add_row(grid)
    return outer


def choices_text(view: View) -> Text:
    """The keys and what they do, with amounts."""
    table: HoldemTable = view.table
    label = view.game.label
    text = Text("  ")
    if FOLD in table.actions():
        text.append("f", "bold blue").append(" fold   ")
    text.append("c", "bold green").append(f" {label(table, CALL)}   ")
    sizes = presets(table)
    if sizes:
        text.append("bet: " if table.bet == 0 else "raise to: ", "dim")
    for key, chips in sizes.items():
        text.append(key, "bold magenta").append(f" {chips:,}{' all-in' if key == 'a' else ''}   ")
    if len(table.raises) > 1:
        text.append("or type 2.5bb, 60%, 120   ", "dim")
    return text.append("?", "bold dim").append(" help", "dim")


def presets(table: HoldemTable) -> dict[str, int]:
    """Key -> raise to, without repeats: minimum, half the pot, the pot, all-in; in limit games the one size."""
    raises = table.raises
    if not raises:
        return {}
    if isinstance(table.stakes.structure, Limit):
        return {"r": raises[0]}
    wanted = {
        "m": raises[0],
        "h": pot_raise(table, Fraction(1, 2)),
        "p": pot_raise(table, Fraction(1)),
        "a": raises[-1],
    }
    seen: set[int] = set()
    kept = {}
    for key, chips in wanted.items():
        if chips in raises and chips not in seen:
            kept[key] = chips
            seen.add(chips)
    if raises[-1] in kept.values() and "a" not in kept:  # the minimum raise is all-in
        kept = {key: chips for key, chips in kept.items() if chips != raises[-1]} | {"a": raises[-1]}
    return kept


def pot_raise(table: HoldemTable, part: Fraction) -> int:
    """Raise to the bet plus that part of the pot as it would be after calling, rounded half up."""
    extra = part * (table.pot + table.to_call)
    return table.bet + int(extra + Fraction(1, 2))


def read_action(table: HoldemTable, line: str) -> Action:
    """Parse a typed line: a key, or an amount to raise to."""
    word = line.strip().lower()
    if word in WORDS:
        return WORDS[word]
    keys = presets(table)
    if word in KEYS:
        if KEYS[word] not in keys:
            raise IllegalAction(_no_size(table, word))
        return keys[KEYS[word]] + 1
    chips = _amount(table, word)
    if chips not in table.raises:
        raise IllegalAction(_no_raise(table, chips))
    return chips + 1


def _amount(table: HoldemTable, word: str) -> int:
    """The total to raise to, from what was typed: `120`, `2.5bb`, or `60%` of the pot."""
    typed = _AMOUNT.fullmatch(word)
    if typed is None:
        raise IllegalAction(
            f"'{word}' is not understood; type f, c, an amount such as 120, 2.5bb or 60%, or ? for help"
        )
    value = Fraction(typed["number"].replace(",", ""))
    if typed["unit"] == "%":
        return pot_raise(table, value / 100)
    return int(value * table.stakes.blinds[1] + Fraction(1, 2)) if typed["unit"] == "bb" else int(value)


def _no_size(table: HoldemTable, word: str) -> str:
    keys = ", ".join(f"{key} ({chips:,})" for key, chips in presets(table).items())
    return f"{word} is not a size here; type {keys} or an amount such as 2.5bb" if keys else _no_raise(table, 0)


def _no_raise(table: HoldemTable, chips: int) -> str:
    """The reason why a raise to this total is not legal, with what would be."""
    if not table.raises:
        return "you cannot raise here: " + ("call or fold" if table.to_call else "check")
    least, most = table.raises[0], table.raises[-1]
    return (
        f"raise to {chips:,} is not allowed; valid: from {least:,} to {most:,}"
        if most > least
        else f"only to {least:,}"
    )


def _tell(out: Console, view: View, table: HoldemTable, later: HoldemTable, action: Action) -> None:
    """Print one action of a seat, or the board when a street is dealt."""
    if table.turn == CHANCE:
        if len(later.board) in STREETS:
            street = STREETS[len(later.board)]
            out.print(
                Text.assemble(
                    (f"  {street} ", "bold"), card_text(map(Card, later.board)), (f"   pot {later.pot:,}", "yellow")
                )
            )
        return
    out.print(
        f"  {view.names[table.turn]}: {view.game.label(table, action)}",
        style="bold" if table.turn == view.seat else None,
    )


def _tell_talk(out: Console, view: View, at: int) -> None:
    for line in (line for line in view.talk if line.at == at):
        out.print(Text(f"    {view.names[line.seat]} says: {line.text}", "italic dim"))


def tell_thoughts(out: Console, record: Record | None) -> None:
    """What each persona thought when it acted, in a finished hand."""
    if record is None or not record.thoughts:
        out.print("  [dim]no thoughts yet: ask after a hand with personas, such as --vs duelist[/]")
        return
    game = game_of(record)
    tables = list(record.replay(game))
    for thought in record.thoughts:
        acted = game.label(tables[thought.at], record.actions[thought.at])
        first, *more = thought.text.split(" | ")
        odds = first.partition("] ")[2] or first  # the name is printed already
        out.print(Text.assemble((f"  {record.names[thought.seat]}, {acted}: ", "bold"), odds))
        for line in more:
            if line != "blocked nothing":
                out.print(Padding(Text(line, "dim"), (0, 0, 0, 6)))


def _words(cards: tuple[Card, Card], board: tuple[int, ...]) -> str:
    return rank_name(evaluate((*cards, *board)))
