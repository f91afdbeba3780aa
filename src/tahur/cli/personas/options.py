"""`tahur persona options`: the menu for a profile and a mood in a situation, after each layer."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tahur.cli.output import Json, console, print_json, warm
from tahur.cli.personas.certify import certify
from tahur.core.chips import CHIPS, amount_text, chips_of, in_unit, is_in_blinds, unit_of
from tahur.core.errors import SettingError, UnknownName

if TYPE_CHECKING:
    from tahur.core.player import View
    from tahur.players.bounded.menu import Written
    from tahur.players.bounded.options import Menu, Option
    from tahur.players.bounded.situation import EquityEstimate, Position, Situation

options = typer.Typer(
    help="The menus that personas choose from, and what they can cost.",
    rich_markup_mode=None,
    invoke_without_command=True,
)
options.command("certify", short_help="The most that a menu can cost, on solved spots.")(certify)

Line = Annotated[
    str | None,
    typer.Option(help="The action so far, from the first to act: 'f f r30 c / x b40'. It determines pot and position."),
]
Stacks = Annotated[
    str | None,
    typer.Option(help="With --line: stacks at the start, for all or each seat from left of the button: 1000,800."),
]


@options.callback()
def show_menu(
    context: typer.Context,
    hand: Annotated[str, typer.Option(help="Your two cards: AhKh.")] = "",
    board: Annotated[str, typer.Option(help="Three to five cards, such as Qs7h2h; none before the flop.")] = "",
    line: Line = None,
    stacks: Stacks = None,
    ante: Annotated[str, typer.Option(help="With --line: the ante of each seat.")] = "0",
    pot: Annotated[str | None, typer.Option(help="The pot, including the bet to call: 300 or 30bb.")] = None,
    to_call: Annotated[str, typer.Option(help="Price of a call; 0 if you can check.")] = "0",
    stack: Annotated[str | None, typer.Option(help="Your remaining stack.")] = None,
    profile: Annotated[str, typer.Option(help="default, or tight or loose and passive or aggressive.")] = "default",
    mood: Annotated[
        str, typer.Option(help="composed, or tilted, overconfident, shaken, dissociated with :mild to :extreme.")
    ] = "composed",
    big_blind: Annotated[int, typer.Option(help="The big blind in chips.", min=1)] = 10,
    committed: Annotated[str, typer.Option(help="What you have put into the pot in this hand.")] = "0",
    seats: Annotated[int, typer.Option(help="Players dealt in, you included; after the flop, those still in.")] = 2,
    position: Annotated[str, typer.Option(help="early, middle, late, button or blinds.")] = "button",
    street_raises: Annotated[
        int | None, typer.Option(help="Bets and raises on this street; by default 1 if you face a bet, else 0.", min=0)
    ] = None,
    villain: Annotated[str | None, typer.Option(metavar="RANGE", help="Range of each opponent: '22+,A5s'.")] = None,
    equity: Annotated[str | None, typer.Option(help="Your equity, 0.61 or 61%, instead of computing it.")] = None,
    limit_bet: Annotated[str | None, typer.Option(help="For a limit game: the size of bets and raises.")] = None,
    mode: Annotated[str, typer.Option(help="standard, study, lean, loose_table or shuffled.")] = "standard",
    seed: Annotated[int, typer.Option(help="Seed of phrases, bluffs and the mood's roll.", min=0)] = 0,
    as_json: Json = False,
) -> None:
    """The menu for a profile after each layer: what was blocked and why, and what the mood changed.

    tahur persona options --hand AhKh --board Qs7h2h --pot 300 --to-call 100 --stack 2000 --profile tight_aggressive
    --mood tilted:extreme      tahur persona options certify

    Amounts are chips or, such as 5.5bb, big blinds; the answer is in the unit of --pot or --stacks.
    tahur persona options --hand AhKh --seats 6 --stacks 1000 --line "f f r25"      the spot at a real table
    """
    if context.invoked_subcommand is not None:
        return
    bets = _chips("a --limit-bet", limit_bet, big_blind)
    if line is not None:
        _check_alone(pot)
        view: View | None = played_view(
            hand, board, stacks, line, seats, big_blind, chips_of("an --ante", ante, big_blind), bets
        )
        situation = _at_table(view, equity, villain)
    else:
        situation, view = _situation(
            hand, board, _chips("a --pot", pot, big_blind), _chips("a --stack", stack, big_blind), equity, villain,
            to_call=chips_of("--to-call", to_call, big_blind), big_blind=big_blind, seats=seats, limit_bet=bets,
            committed=chips_of("--committed", committed, big_blind), position=_position(position),
            street_raises=street_raises,
        )  # fmt: skip
    written, who = _menu_for(situation, profile, mood, mode, seed)
    if as_json:
        print_json(written_json(written, situation) | {"line": _line_of(view), "unit": CHIPS, "big_blind": big_blind})
        return
    _print(written, situation, who, big_blind if is_in_blinds(pot or stacks or "") else 0)
    if line is None:
        console().print(f"[dim]{_assumption(_line_of(view))}[/]")


def _chips(name: str, text: str | None, big_blind: int) -> int | None:
    return None if text is None else chips_of(name, text, big_blind)


def _menu_for(situation: Situation, profile: str, mood: str, mode: str, seed: int) -> tuple[Written, str]:
    """The menu, with the profile and mood it is for."""
    import numpy as np

    from tahur.players.bounded.menu import write_menu
    from tahur.players.bounded.modes import mode_named
    from tahur.players.bounded.mood import mood_from_text
    from tahur.players.bounded.profiles import profile_named

    chosen, feeling, flags = profile_named(profile), mood_from_text(mood), mode_named(mode).flags
    written = write_menu(situation, chosen, feeling, flags, rng=np.random.default_rng(seed))
    return written, f"{chosen.name}, {feeling.text}"


def written_json(written: Written, situation: Situation) -> dict[str, object]:
    """The menu as JSON."""
    layers = [{"layer": name, "menu": _options(menu)} for name, menu in written.layers]
    blocked = [{"action": option.act.value, "reason": option.reason} for option in written.menu.blocked]
    numbers = {"equity": situation.equity, "stderr": situation.error, "required": situation.required}
    return {
        "layers": layers,
        "menu": _options(written.menu),
        "blocked": blocked,
        "impaired": written.impaired,
        "roll": written.roll,
        "forced": written.menu.forced,
        **numbers,
    }


def _options(menu: Menu) -> list[dict[str, object]]:
    return [_option(number, option) for number, option in enumerate(menu.options, start=1)]


def _option(number: int, option: Option) -> dict[str, object]:
    payload = option.as_json(number)
    return payload if option.folds is None else payload | {"assumed_folds": round(option.folds, 4)}


def played_view(
    hand: str, board: str, stacks: str | None, line: str, seats: int, big_blind: int, ante: int, limit_bet: int | None
) -> View:
    """The view of the seat to act after the line."""
    from tahur.cards.cards import parse_cards
    from tahur.cli.personas.line import TableSetup, view_after
    from tahur.players.bounded.situation import check_cards

    if not hand or stacks is None:
        raise SettingError("a line needs --hand and --stacks: --hand AhKh --seats 6 --stacks 1000 --line 'f f r25'")
    hole, cards, chips = parse_cards(hand), parse_cards(board), _stacks(stacks, seats, big_blind)
    check_cards(hole, cards, len(chips))
    return view_after(
        TableSetup(
            hole=tuple(hole), board=tuple(cards), stacks=chips, big_blind=big_blind, ante=ante, limit_bet=limit_bet
        ),
        line,
    )


def _stacks(text: str, seats: int, big_blind: int) -> tuple[int, ...]:
    chips = tuple(chips_of("--stacks", word, big_blind) for word in text.split(","))
    return chips * seats if len(chips) == 1 else chips


def _check_alone(pot: str | None) -> None:
    if pot is not None:
        raise SettingError("--line determines the pot; omit --pot, --to-call, --stack and --position")


def _at_table(view: View | None, equity: str | None, villain: str | None) -> Situation:
    """The situation of the seat to act, exactly as a persona at that table gets it."""
    from tahur.players.bounded.situation import EquityEstimate, situation_of

    assert view is not None
    _check_one(equity, villain)
    rough = situation_of(view, estimate=EquityEstimate(0.0 if equity is None else _share(equity)))
    if equity is not None:
        return rough
    warm()
    return situation_of(view) if villain is None else replace(rough, estimate=_against(rough, villain))


def _situation(
    hand: str, board: str, pot: int | None, stack: int | None, equity: str | None, villain: str | None, **more: Any
) -> tuple[Situation, View | None]:
    """The situation, and a table that matches it if there is one."""
    from tahur.cards.cards import parse_cards
    from tahur.players.bounded.situation import EquityEstimate, stated

    if not hand or pot is None or stack is None:
        raise SettingError("a menu needs --hand, --pot and --stack: --hand AhKh --pot 300 --to-call 100 --stack 2000")
    _check_one(equity, villain)
    more |= {"hole": parse_cards(hand), "board": parse_cards(board), "pot": pot, "stack": stack}
    known = None if equity is None else EquityEstimate(_share(equity))
    rough = stated(estimate=known or EquityEstimate(0.0), **more)  # raises an error for an impossible situation
    view = fitting(rough, more["to_call"], more["limit_bet"])
    if view is not None:
        return _at_table(view, equity, villain), view
    return (rough if known is not None else replace(rough, estimate=_equity_of(rough, villain))), None


def fitting(rough: Situation, to_call: int, limit_bet: int | None) -> View | None:
    """A table that matches the stated situation; None after the flop, where too many do."""
    from tahur.cli.personas.line import TableSetup, fitting_view

    spot = TableSetup(rough.hole, rough.board, (rough.stack,) * rough.seats, rough.big_blind, limit_bet=limit_bet)
    return fitting_view(spot, rough.position, pot=rough.pot, to_call=to_call, raises=rough.street_raises)


def _line_of(view: View | None) -> str | None:
    from tahur.cli.personas.line import line_text

    return None if view is None else line_text(view)


def _assumption(line: str | None) -> str:
    if line is None:
        return "No single line leads here: opponents are assumed to be in late position. Give the action with --line."
    return f"Assumed action: {line or 'none, you are first to act'}. Give another with --line."


def _check_one(equity: str | None, villain: str | None) -> None:
    if equity is not None and villain is not None:
        raise SettingError("--equity replaces the computation from --villain; give one of them")


def _equity_of(situation: Situation, villain: str | None) -> EquityEstimate:
    """The equity against the stated range, or against those that opponents usually have."""

    from tahur.cards.cards import combo_of

    warm()
    from tahur.players.equities import estimate
    from tahur.players.opponents import USUAL

    if villain is not None:
        return _against(situation, villain)
    opponents = USUAL.stated(situation.board, situation.seats, situation.street_raises)
    return estimate(combo_of(situation.hole), situation.board, opponents)


def _against(situation: Situation, villain: str) -> EquityEstimate:
    """The equity against all remaining opponents, each with this range."""
    from tahur.cards.cards import combo_of
    from tahur.cards.ranges import Range
    from tahur.players.equities import estimate_against

    ranges = (Range.parse(villain),) * situation.opponents
    return estimate_against(combo_of(situation.hole), situation.board, ranges)


def _share(text: str) -> float:
    number = re.fullmatch(r"(\d*\.?\d+)(%?)", text.strip())
    share = float(number[1]) / (100 if number[2] else 1) if number else -1.0
    if not 0 <= share <= 1:
        raise SettingError(f"--equity {text}: must be 0 to 1, or 0% to 100%")
    return share


def _position(text: str) -> Position:
    """Parse the name of a position."""
    from tahur.players.bounded.situation import Position

    try:
        return Position(text.strip().lower())
    except ValueError:
        names = ", ".join(position.value for position in Position)
        raise UnknownName(f"no position '{text}'; positions: {names}") from None


# ---- for people ------------------------------------------------------------------------------------------------------


def _print(written: Written, situation: Situation, who: str, scale: int) -> None:
    """Print the menu. `scale`: chips per big blind if amounts are shown in big blinds, else 0."""
    from rich.markup import escape

    from tahur.cards.cards import Card, cards_text

    out = console()
    cards = f"{cards_text(situation.hole)} on {cards_text(map(Card, situation.board)) or 'no board'}"
    pot, cost, stack = (amount_text(amount, scale) for amount in (situation.pot, situation.cost, situation.stack))
    blind = f"; texts are in chips, {scale} for a big blind" if scale else ""
    out.print(f"[bold]{cards}[/]  pot {pot}, to call {cost}, stack {stack}  [dim]{who}{blind}[/]")
    error = f" ± {1.96 * situation.error:.1%}" if situation.error else ""
    out.print(f"equity {situation.equity:.1%}{error}, required {situation.required:.1%}")
    before = None
    for name, menu in written.layers:
        changed = menu.options != before
        out.print(f"[dim]{name}[/]" if changed else f"[dim]{name}: unchanged[/]")
        if changed:
            out.print(_table(menu, scale))
        before = menu.options
    for option in written.menu.blocked:
        out.print(f"[yellow]{option.act.value} is blocked[/]: {escape(option.reason)}")
    effect = "the mood applies" if written.impaired else "lucid"
    out.print(f"roll {written.roll:.3f}: {effect}" + ("; forced: no choice" if written.menu.forced else ""))


def _table(menu: Menu, scale: int) -> Any:
    """The menu as a table of options."""
    from tahur.show.tables import MenuRow, menu_table

    rows = [
        MenuRow(
            number=number,
            action=option.act.value,
            to="" if option.raise_to is None else amount_text(option.raise_to, scale),
            label=option.label.text,
            worth=in_unit(option.chip_ev, scale),
            style=option.style.value,
            text=option.text,
        )
        for number, option in enumerate(menu.options, start=1)
    ]
    return menu_table(rows, unit_of(scale))
