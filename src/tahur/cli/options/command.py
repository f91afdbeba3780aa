"""`tahur options`: the menu that a profile in a mood is offered in a situation, after each layer."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tahur.cli.options.certify import certify
from tahur.cli.output import Json, console, print_json, warm
from tahur.core.errors import SettingError

if TYPE_CHECKING:
    from tahur.players.bounded.menu import Written
    from tahur.players.bounded.options import Menu, Option
    from tahur.players.bounded.situation import Estimate, Position, Situation

options = typer.Typer(
    help="Menus of bounded options: what an opponent with character may choose from, and what it can cost.",
    rich_markup_mode=None,
    invoke_without_command=True,
)
options.command("certify", short_help="The most that a menu can cost, on solved spots.")(certify)


@options.callback()
def show_menu(
    context: typer.Context,
    hand: Annotated[str, typer.Option(help="Your two cards: AhKh.")] = "",
    board: Annotated[str, typer.Option(help="Three to five cards, such as Qs7h2h; none before the flop.")] = "",
    pot: Annotated[int | None, typer.Option(help="Every chip in the middle, the bet to call included.")] = None,
    to_call: Annotated[int, typer.Option(help="What a call costs; 0 if checking is free.")] = 0,
    stack: Annotated[int | None, typer.Option(help="Your chips behind.")] = None,
    profile: Annotated[str, typer.Option(help="default, or tight or loose and passive or aggressive.")] = "default",
    mood: Annotated[
        str, typer.Option(help="composed, or tilted, overconfident, shaken, dissociated with :mild to :extreme.")
    ] = "composed",
    big_blind: Annotated[int, typer.Option(help="In chips, like everything here.")] = 10,
    committed: Annotated[int, typer.Option(help="Your chips in the pot, from this hand.")] = 0,
    seats: Annotated[int, typer.Option(help="Players in the hand, you included.")] = 2,
    position: Annotated[str, typer.Option(help="early, middle, late, button or blinds.")] = "button",
    street_raises: Annotated[
        int | None, typer.Option(help="Bets and raises on this street; without it, 1 if you face a bet.", min=0)
    ] = None,
    villain: Annotated[str | None, typer.Option(metavar="RANGE", help="What each opponent holds: '22+,A5s'.")] = None,
    equity: Annotated[str | None, typer.Option(help="Your equity, 0.61 or 61%, instead of computing it.")] = None,
    limit_bet: Annotated[int | None, typer.Option(help="A limit game: the size of bets and raises.", min=1)] = None,
    mode: Annotated[str, typer.Option(help="standard, study, lean, loose_table or shuffled.")] = "standard",
    seed: Annotated[int, typer.Option(help="Of the dice: phrases, bluffs, the mood's roll.", min=0)] = 0,
    as_json: Json = False,
) -> None:
    """The menu that a profile is offered, after each layer: what was blocked and why, and how the mood bent it.

    tahur options --hand AhKh --board Qs7h2h --pot 300 --to-call 100 --stack 2000 --profile tight_aggressive
    --mood tilted:extreme      tahur options certify
    """
    if context.invoked_subcommand is not None:
        return
    import numpy as np

    from tahur.players.bounded.menu import write_menu
    from tahur.players.bounded.modes import mode_named
    from tahur.players.bounded.mood import mood_from_text
    from tahur.players.bounded.profiles import profile_named

    chosen, feeling, flags = profile_named(profile), mood_from_text(mood), mode_named(mode).flags
    situation = _situation(
        hand, board, pot, stack, equity, villain,
        to_call=to_call, big_blind=big_blind, committed=committed, seats=seats, position=_position(position),
        street_raises=street_raises, limit_bet=limit_bet,
    )  # fmt: skip
    written = write_menu(situation, chosen, feeling, flags, rng=np.random.default_rng(seed))
    if as_json:
        print_json(told(written, situation))
        return
    _print(written, situation, f"{chosen.name}, {feeling.text}")


def told(written: Written, situation: Situation) -> dict[str, object]:
    """A written menu as JSON says it."""
    layers = [{"layer": name, "menu": _options(menu)} for name, menu in written.layers]
    blocked = [{"action": each.act.value, "reason": each.reason} for each in written.menu.blocked]
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
    told = option.told(number)
    return told if option.folds is None else told | {"assumed_folds": round(option.folds, 4)}


def _situation(
    hand: str, board: str, pot: int | None, stack: int | None, equity: str | None, villain: str | None, **more: Any
) -> Situation:
    from tahur.cards.cards import parse_cards
    from tahur.players.bounded.situation import Estimate, stated

    if not hand or pot is None or stack is None:
        raise SettingError("a menu needs --hand, --pot and --stack: --hand AhKh --pot 300 --to-call 100 --stack 2000")
    if equity is not None and villain is not None:
        raise SettingError("--equity states what --villain would be asked for; give one of them")
    more |= {"hole": parse_cards(hand), "board": parse_cards(board), "pot": pot, "stack": stack}
    known = None if equity is None else Estimate(_share(equity))
    rough = stated(estimate=known or Estimate(0.0), **more)  # refuses what cannot be
    if known is not None:
        return rough
    return replace(rough, estimate=_computed(rough, villain))


def _computed(situation: Situation, villain: str | None) -> Estimate:
    from tahur.cards.cards import combo_of
    from tahur.cards.ranges import Range
    from tahur.cards.warm import warm_up

    ranges = None if villain is None else (Range.parse(villain),) * situation.opponents
    warm(warm_up)
    from tahur.players.bounded.ranges import estimate, estimate_against, opponents_stated

    hand = combo_of(situation.hole)
    if ranges is not None:
        return estimate_against(hand, situation.board, ranges)
    return estimate(hand, situation.board, opponents_stated(situation.board, situation.seats, situation.street_raises))


def _share(text: str) -> float:
    number = re.fullmatch(r"(\d*\.?\d+)(%?)", text.strip())
    share = float(number[1]) / (100 if number[2] else 1) if number else -1.0
    if not 0 <= share <= 1:
        raise SettingError(f"--equity {text}; it is 0 to 1, or 0% to 100%")
    return share


def _position(text: str) -> Position:
    from tahur.core.errors import UnknownName
    from tahur.players.bounded.situation import Position

    try:
        return Position(text.strip().lower())
    except ValueError:
        names = ", ".join(position.value for position in Position)
        raise UnknownName(f"no position '{text}'; positions: {names}") from None


# ---- for people ------------------------------------------------------------------------------------------------------


def _print(written: Written, situation: Situation, who: str) -> None:
    from rich.markup import escape

    from tahur.cards.cards import Card, cards_text

    out = console()
    cards = f"{cards_text(situation.hole)} on {cards_text(map(Card, situation.board)) or 'no board'}"
    out.print(
        f"[bold]{cards}[/]  pot {situation.pot}, to call {situation.cost}, stack {situation.stack}  [dim]{who}[/]"
    )
    error = f" ± {1.96 * situation.error:.1%}" if situation.error else ""
    out.print(f"equity {situation.equity:.1%}{error}, required {situation.required:.1%}")
    before = None
    for name, menu in written.layers:
        changed = menu.options != before
        out.print(f"[dim]{name}[/]" if changed else f"[dim]{name}: as it was[/]")
        if changed:
            out.print(_table(menu))
        before = menu.options
    for each in written.menu.blocked:
        out.print(f"[yellow]{each.act.value} is blocked[/]: {escape(each.reason)}")
    said = "the mood has its say" if written.impaired else "lucid"
    out.print(f"roll {written.roll:.3f}: {said}" + ("; forced: nobody is asked" if written.menu.forced else ""))


def _table(menu: Menu) -> Any:
    from tahur.show.menu import Row, menu_table

    return menu_table(
        [
            Row(
                number,
                option.act.value,
                option.raise_to,
                option.label.text,
                option.chip_ev,
                option.style.value,
                option.text,
            )
            for number, option in enumerate(menu.options, start=1)
        ]
    )
