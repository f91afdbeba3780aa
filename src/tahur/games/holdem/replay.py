"""Replaying a PHH hand through the rules.

Nothing is repaired: every action must be legal, every board card must be given, and features that our tables lack
(straddles, unequal antes) are rejected by name. p1 sits at the first seat of `Stakes.order`, left of the button. The
only action that is skipped is a check by the last seat with chips when there is nobody left to bet against: other
programs require it, our table does not ask for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Final

from tahur.cards.cards import DECK, Card, cards_text, combo_of
from tahur.core.errors import IllegalAction, RecordError
from tahur.core.game import CHANCE, OVER, Action, Hand, Seat
from tahur.games.holdem.history import Chips, History, settle
from tahur.games.holdem.phh import AS_DEALT, UNKNOWN_CARD, Phh, PhhAction, Variant, Verb, amount_text, step_text
from tahur.games.holdem.rules import NO_HAND, Holdem
from tahur.games.holdem.stakes import MOST_SEATS, Limit, NoLimit, Stakes, Structure
from tahur.games.holdem.table import CALL, FOLD, HoldemTable
from tahur.games.registry import make

CAPS: Final = (4, 4, 4, 4)  # PHH does not give the caps: the largest usual ones
_ALL_BUT_CAPS: Final = ("stacks", "blinds", "ante", "button", "bets", "showdown_board")


def replay(phh: Phh) -> History:
    """Play the hand of a PHH through the rules; allows folds where checking is free if the hand has one."""
    game = _game(phh)
    try:
        return _replay(phh, game)
    except _FreeFold:
        return _replay(phh, replace(game, stakes=replace(game.stakes, free_folds=True)))


class _FreeFold(Exception):
    """A player folds who could check."""


def _replay(phh: Phh, game: Holdem) -> History:
    """Apply the steps of a PHH to the start of the game."""
    table = game.start()
    cards = _HoleCards(game.stakes.order)
    for step in phh.steps:
        match step.verb:
            case Verb.HOLE:
                cards.deal(step)
            case Verb.SHOW:
                cards.show(step)
            case Verb.BOARD:
                table = _deal_board(table, step)
            case Verb.FOLD | Verb.CALL | Verb.RAISE:
                table = _act(table, step, phh.scale)
            case Verb.NOTE:
                pass
    _check_over(table)
    history = settle(game, table, cards.hands(game.seats), cards.mucked)
    names, stated = _names(phh, game), _stated_stacks(phh, history)
    return replace(history, names=names, stated=stated, scale=phh.scale, fields=phh.fields, hero=_hero(phh, game))


# ---- the table of a PHH --------------------------------------------------------------------------


def _game(phh: Phh) -> Holdem:
    """The rules that a PHH states: seats, stacks, blinds, antes, limits."""
    _check_forced_bets(phh)
    seating, count = _seating(phh)
    chips = dict(zip(seating, phh.stacks, strict=True))
    stacks = tuple([chips.get(seat, 0) for seat in range(count)])
    structure: Structure = NoLimit() if phh.variant is Variant.NO_LIMIT else Limit(phh.bets[0], phh.bets[1], CAPS)
    plain = plain_game(
        Stakes(
            stacks=stacks,
            blinds=(phh.blinds[0], phh.blinds[1]),
            ante=phh.antes[0],
            button=seating[-1],
            structure=structure,
        )
    )
    return _game_by_name(plain, phh.fields) if "_game" in phh.fields else plain


def plain_game(stakes: Stakes) -> Holdem:
    """The game that a PHH describes; it has no fields for caps or for the next hand."""
    if not isinstance(stakes.structure, Limit):
        return Holdem("nlhe", stakes)
    return Holdem("limit", replace(stakes, structure=replace(stakes.structure, caps=CAPS)))


def _game_by_name(plain: Holdem, fields: Mapping[str, Any]) -> Holdem:
    """The game named by our own export; its caps may differ from those implied by the PHH."""
    name, settings = fields["_game"], fields.get("_settings", {})
    if not isinstance(name, str) or not isinstance(settings, dict):
        raise RecordError(f"_game {name!r} with _settings {settings!r}; a name and a table were expected")
    game = make(name, {**plain.settings, **settings})
    if not isinstance(game, Holdem) or any(game.settings.get(key) != plain.settings.get(key) for key in _ALL_BUT_CAPS):
        raise RecordError(f"_game {name!r} with _settings {settings!r} contradicts the other fields")
    return game


def _check_forced_bets(phh: Phh) -> None:
    """Reject forced bets that our tables do not support, by name."""
    scale = phh.scale
    if len(phh.stacks) < 2 or min(phh.stacks) <= 0:
        raise RecordError(f"starting_stacks {_amounts(phh.stacks, scale)}; expected two or more, all with chips")
    for player, chips in enumerate(phh.blinds[2:], start=3):
        if chips:
            what = "straddle" if chips > 0 else "late post"
            amount = amount_text(abs(chips), scale)
            raise RecordError(f"p{player} has a {what} of {amount}; only two blinds are supported")
    if len(set(phh.antes)) > 1:
        raise RecordError(f"antes {_amounts(phh.antes, scale)}; only equal antes are supported")
    if min(phh.stacks) < phh.antes[0] and not phh.fields.get("ante_trimming_status"):
        raise RecordError("a stack below the ante with ante_trimming_status false; only trimmed antes are supported")
    if phh.variant is Variant.NO_LIMIT and phh.bets[0] != phh.blinds[1]:
        raise RecordError(
            f"min_bet {amount_text(phh.bets[0], scale)} with blinds {_amounts(phh.blinds[:2], scale)}; "
            "the minimum bet must be the big blind"
        )


def _seating(phh: Phh) -> tuple[Sequence[Seat], int]:
    """The seat of each player, and the number of seats: as in the text, if they fit a table of ours."""
    count = len(phh.stacks)
    seats, most = phh.fields.get("seats"), phh.fields.get("seat_count")
    if not isinstance(seats, list) or len(seats) != count or not all(type(seat) is int for seat in seats):
        return range(count), count
    most = max(*seats, most if type(most) is int else 0)
    if min(seats) < 1 or most > MOST_SEATS:
        return range(count), count
    steps = [(after - before) % most for before, after in pairwise([*seats, seats[0]])]
    if 0 in steps or sum(steps) != most:
        return range(count), count
    return [seat - 1 for seat in seats], most


def _hero(phh: Phh, game: Holdem) -> Seat | None:
    """The seat from whose view the hand was written, if it is our own export."""
    seat = phh.fields.get("_hero")
    return seat - 1 if type(seat) is int and seat - 1 in game.stakes.order else None


def _names(phh: Phh, game: Holdem) -> tuple[str, ...]:
    players = phh.fields.get("players")
    if not isinstance(players, list) or len(players) != len(phh.stacks):
        return ()
    names = dict(zip(game.stakes.order, map(str, players), strict=True))
    return tuple([names.get(seat, "") for seat in range(game.seats)])


# ---- its actions ---------------------------------------------------------------------------------


class _HoleCards:
    """The hole cards that a PHH gives, when they are dealt or when they are shown."""

    def __init__(self, order: Sequence[Seat]) -> None:
        self.mucked: set[Seat] = set()
        self._order = order
        self._held: dict[Seat, tuple[int | None, ...]] = {}

    def deal(self, step: PhhAction) -> None:
        seat = self._order[step.player]
        held = self._held.get(seat, ()) + _cards(step)
        if len(held) > 2:
            raise RecordError(f"'{step_text(step)}': a hand is two cards")
        self._held[seat] = held

    def show(self, step: PhhAction) -> None:
        """Show two cards, or muck: a hand that is not shown completely wins nothing."""
        seat = self._order[step.player]
        held = self._held.get(seat, ())
        shown = held if step.cards == AS_DEALT else _cards(step)
        if len(shown) != 2 or None in shown:
            self.mucked.add(seat)
            return
        if not {card for card in held if card is not None} <= set(shown):
            raise RecordError(f"'{step_text(step)}': those are not the cards that p{step.player + 1} was dealt")
        self._held[seat] = shown

    def hands(self, seats: int) -> tuple[Hand, ...]:
        return tuple([_hand(self._held.get(seat, ())) for seat in range(seats)])


def _hand(cards: tuple[int | None, ...]) -> Hand:
    known = [card for card in cards if card is not None]
    if len(known) < 2:
        return NO_HAND
    if known[0] == known[1]:
        raise RecordError(f"{cards_text(known)}: the same card twice")
    return combo_of(known)


_CARD: Final[Mapping[str, int | None]] = {**{str(card): int(card) for card in DECK}, UNKNOWN_CARD: None}


def _cards(step: PhhAction) -> tuple[int | None, ...]:
    text = step.cards
    try:
        return tuple([_CARD[text[at : at + 2]] for at in range(0, len(text), 2)])
    except KeyError as error:
        raise RecordError(f"'{step_text(step)}': {error} is not a card; write As, or ?? if unknown") from None


def _deal_board(table: HoldemTable, step: PhhAction) -> HoldemTable:
    """The table after the board cards of a step."""
    for card in _cards(step):
        if table.turn != CHANCE:
            raise RecordError(f"'{step_text(step)}': no card is due; {_due(table)}")
        if card is None:
            raise RecordError(f"'{step_text(step)}': the cards of the board must be known")
        if card in table.board:
            raise RecordError(f"'{step_text(step)}': {Card(card)} is already on the board")
        table = table.after(card)
    return table


def _act(table: HoldemTable, step: PhhAction, scale: int) -> HoldemTable:
    """The table after a player's action; raises `_FreeFold` for a fold where the rules want a check."""
    seat = table.stakes.order[step.player]
    if table.turn != seat:
        if step.verb is Verb.CALL and _is_formal_check(table, seat):
            return table  # our table does not ask the last seat with chips
        raise RecordError(f"'{step_text(step, scale)}': not p{step.player + 1}'s turn; {_due(table)}")
    if step.verb is not Verb.RAISE or step.chips > 0:  # as action number 1 + 0, a raise to 0 would be a call
        try:
            return table.after(_action(step))
        except IllegalAction:
            if step.verb is Verb.FOLD:
                raise _FreeFold from None
    raise RecordError(f"'{step_text(step, scale)}': p{step.player + 1} may {_choices(table, scale)}")


def _action(step: PhhAction) -> Action:
    if step.verb is Verb.RAISE:
        return step.chips + 1
    return CALL if step.verb is Verb.CALL else FOLD


def _is_formal_check(table: HoldemTable, seat: Seat) -> bool:
    """Whether a seat is the only one of several in the hand with chips, so that our table does not ask it."""
    with_chips = [other for other in table.live if table.stacks[other]]
    return table.turn < 0 and len(table.live) > 1 and with_chips == [seat]


def _due(table: HoldemTable) -> str:
    if table.turn == OVER:
        return "the hand is over"
    if table.turn == CHANCE:
        return f"a card is due, with {len(table.board)} on the board"
    return f"it is p{table.stakes.order.index(table.turn) + 1}'s turn"


def _choices(table: HoldemTable, scale: int) -> str:
    owed, raises = table.to_call, table.raises
    may = f"fold or call {amount_text(owed, scale)}" if owed else "check"
    if not raises:
        return may
    sizes = " up to ".join(dict.fromkeys(amount_text(chips, scale) for chips in (raises[0], raises[-1])))
    return f"{may} or {'raise to' if table.bet else 'bet'} {sizes}"


def _check_over(table: HoldemTable) -> None:
    if table.turn == CHANCE:
        missing = table.stakes.showdown_board - len(table.board)
        raise RecordError(f"the text stops dealing: {len(table.board)} cards on the board, {missing} still to come")
    if table.turn != OVER:
        raise RecordError(f"the text stops before the hand is over; {_due(table)}")


def _stated_stacks(phh: Phh, history: History) -> Chips | None:
    """The finishing stacks that the text gives, directly or as what was collected from the pots."""
    table = history.table
    if phh.finishing_stacks is not None:
        ends = dict(zip(table.stakes.order, phh.finishing_stacks, strict=True))
    elif phh.winnings is not None:
        won = zip(table.stakes.order, phh.winnings, strict=True)
        ends = {seat: table.stacks[seat] + chips for seat, chips in won}
        if len(table.live) == 1 and sum(phh.winnings) > table.pot:  # some sources count an uncalled bet as collected
            *_, before, _ = history.tables()
            *_, called, bet = sorted(before.bets)
            ends[table.live[0]] -= bet - called
    else:
        return None
    return tuple([ends.get(seat, 0) for seat in range(history.game.seats)])


def _amounts(chips: Chips, scale: int) -> str:
    return ", ".join(amount_text(amount, scale) for amount in chips)
