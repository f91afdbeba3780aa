"""A hand history in words for the terminal: seats, action street by street, result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from rich.text import Text

from tahur.cards.cards import Card
from tahur.cards.evaluator import evaluate, rank_name
from tahur.core.game import Seat
from tahur.games.holdem.history import History, ReplayVerdict, hole_cards, won_pots
from tahur.games.holdem.rules import NO_HAND
from tahur.games.holdem.stakes import Limit
from tahur.games.holdem.story import StoryEvent, StoryEventKind, money_text, player_names, story
from tahur.show.cards import card_text

STREETS = {3: "flop", 4: "turn", 5: "river"}
ABOUT = ("hand", "event", "venue", "table", "level", "year", "month", "day")


def hand_lines(history: History, place: str) -> Iterator[Text]:
    """The lines that describe a hand; `place` is its file and number."""
    names = player_names(history)
    yield Text.assemble((_printable(place), "bold"), f"  {_stakes(history)}")
    about = [f"{name} {_printable(str(history.fields[name]))}" for name in ABOUT if name in history.fields]
    if about:
        yield Text("  " + ", ".join(about), "dim")
    yield from _seats(history, names)
    yield Text("before the flop", "bold")
    showdown = False
    for event in story(history):
        if event.kind is StoryEventKind.BOARD:
            yield _street(history, event)
            continue
        if not showdown and event.kind in (StoryEventKind.SHOW, StoryEventKind.MUCK):
            showdown = True
            yield Text("showdown", "bold")
        yield Text(f"  {names[event.seat]} ").append_text(_words(history, event))
    yield from _ends(history, names)


def _stakes(history: History) -> str:
    stakes = history.game.stakes
    structure = stakes.structure
    limit = isinstance(structure, Limit)
    sizes = (structure.small_bet, structure.big_bet) if isinstance(structure, Limit) else stakes.blinds
    amounts = "/".join(money_text(history, chips) for chips in sizes)
    ante = f", ante {money_text(history, stakes.ante)}" if stakes.ante else ""
    return f"{'' if limit else 'no-'}limit hold'em, {'bets' if limit else 'blinds'} {amounts}{ante}"


def _seats(history: History, names: tuple[str, ...]) -> Iterator[Text]:
    stakes = history.game.stakes
    wide = max(len(names[seat]) for seat in stakes.order)
    amounts = {seat: money_text(history, stakes.stacks[seat]) for seat in stakes.order}
    for seat in sorted(stakes.order):
        button = "button" if seat == stakes.button else ""
        line = Text(f"  {names[seat]:<{wide}}  {amounts[seat]:>{max(map(len, amounts.values()))}}  {button:<6}  ")
        yield line.append_text(_hand(history, seat))


def _hand(history: History, seat: Seat) -> Text:
    hand = history.hands[seat]
    return Text("?? ??", "dim") if hand == NO_HAND else card_text(hole_cards(hand))


def _street(history: History, event: StoryEvent) -> Text:
    line = Text.assemble((STREETS[len(event.board)], "bold"), " ", card_text(map(Card, event.board)))
    return line.append(f"  pot {money_text(history, event.chips)}", "yellow")


def _words(history: History, event: StoryEvent) -> Text:
    """What a seat did, to follow its name."""
    chips = money_text(history, event.chips)
    all_in = ", all-in" if event.all_in else ""
    match event.kind:
        case StoryEventKind.ANTE:
            return Text(f"antes {chips}{all_in}", "dim")
        case StoryEventKind.SMALL_BLIND:
            return Text(f"posts the small blind, {chips}{all_in}", "dim")
        case StoryEventKind.BIG_BLIND:
            return Text(f"posts the big blind, {chips}{all_in}", "dim")
        case StoryEventKind.FOLD:
            return Text("folds", "dim")
        case StoryEventKind.CHECK:
            return Text("checks")
        case StoryEventKind.CALL:
            return Text(f"calls {chips}{all_in}")
        case StoryEventKind.BET:
            return Text(f"bets {chips}{all_in}")
        case StoryEventKind.RAISE:
            return Text(f"raises to {money_text(history, event.to)}{all_in}")
        case StoryEventKind.RETURN:
            return Text(f"takes back an uncalled {chips}", "dim")
        case StoryEventKind.SHOW:
            rank = evaluate((*hole_cards(history.hands[event.seat]), *history.table.board))
            return Text("shows ").append_text(_hand(history, event.seat)).append(f", {rank_name(rank)}")
        case StoryEventKind.MUCK:
            return Text("mucks")
        case StoryEventKind.COLLECT:
            return Text(f"wins {chips}{_which_pot(history, event.pot)}", "green")
        case StoryEventKind.BOARD:
            return Text()
    assert_never(event.kind)


def _which_pot(history: History, number: int) -> str:
    pots = len(won_pots(history))
    if pots == 1:
        return ""
    if not number:
        return " from the main pot"
    return f" from side pot {number}" if pots > 2 else " from the side pot"


def _ends(history: History, names: tuple[str, ...]) -> Iterator[Text]:
    moved = [(seat, won) for seat, won in enumerate(history.payoffs) if won]
    tally = [f"{names[seat]} {'+' if won > 0 else ''}{money_text(history, won)}" for seat, won in moved]
    yield Text(f"result: {', '.join(tally) or 'no one wins or loses'}\n")
    if history.verdict() is ReplayVerdict.MISMATCHED and history.stated is not None:
        stated = [f"{names[seat]} {chips / history.scale:g}" for seat, chips in enumerate(history.stated)]
        yield Text(f"but the source gives final stacks {', '.join(stated)}\n", "red")


def _printable(text: str) -> str:
    return "".join(sign if sign.isprintable() else "?" for sign in text)
