"""PHH held against PokerKit: each plays what the other wrote, to the same stacks."""

from __future__ import annotations

import warnings
from decimal import Decimal
from random import Random
from typing import Any

import pytest
from phh_hands import (
    DATA,
    SEATS,
    SOUND,
    random_record,
    required,
)

from tahur.games.holdem.history import ReplayVerdict, history_of
from tahur.games.holdem.phh import (
    Phh,
    join_hands,
    read_phh,
    split_hands,
    write_phh,
)
from tahur.games.holdem.replay import replay
from tahur.games.holdem.transcribe import phh_of

# PokerKit writes and keeps this field of the format, but warns of it.
pytestmark = pytest.mark.filterwarnings("ignore:The field 'time_zone_abbreviation'")


@pytest.mark.parametrize("limit", [False, True], ids=["no-limit", "limit"])
@pytest.mark.parametrize("dealt_in", SEATS)
def test_what_we_write_pokerkit_plays_to_the_same_stacks(dealt_in: int, limit: bool) -> None:
    notation = pytest.importorskip("pokerkit.notation")
    for number in range(25):
        phh = phh_of(history_of(random_record(Random(f"{dealt_in} {number} {limit}"), dealt_in, limit=limit)))
        text = write_phh(phh)
        *_, last = notation.HandHistory.loads(text)
        assert not last.status, text
        theirs = Phh(*required(phh), tuple(last.stacks), fields=phh.fields)
        verdict = replay(theirs).verdict()
        assert verdict in SOUND, text
        assert (verdict is ReplayVerdict.MATCHED) == (tuple(last.stacks) == phh.finishing_stacks)


def test_who_is_all_in_shows_before_the_rest_of_the_board() -> None:
    """So does a reader that repairs nothing: PokerKit, told one action after another."""
    notation = pytest.importorskip("pokerkit.notation")
    text = write_phh(phh_of(replay(read_phh((DATA / "good" / "side_pots.phh").read_text("utf-8")))))
    theirs = notation.HandHistory.loads(text)
    assert theirs.actions[-6:] == ["p1 sm AhAd", "p2 sm KhKd", "p3 sm QhQd", "p4 sm JhTh", "d db 3s", "d db 4c"]
    state = theirs.create_state()
    for action in theirs.actions:
        if state.can_burn_card():
            state.burn_card("??")
        notation.parse_action(state, action)
    assert state.stacks == theirs.finishing_stacks == [160, 180, 300, 50]


@pytest.mark.parametrize("limit", [False, True], ids=["no-limit", "limit"])
@pytest.mark.parametrize("players", SEATS)
def test_what_pokerkit_writes_we_replay_to_the_same_stacks(players: int, limit: bool) -> None:
    for number in range(25):
        text = _written_by_pokerkit(Random(f"{players} {number} {limit}"), players, limit=limit)
        assert replay(read_phh(text)).verdict() in SOUND, text


def test_what_pokerkit_writes_with_decimals_we_replay_to_the_same_stacks() -> None:
    for number in range(60):
        text = _written_by_pokerkit(Random(number), 2, unit=Decimal("0.25"))
        phh = read_phh(text)
        assert phh.scale > 1
        assert replay(phh).verdict() is ReplayVerdict.MATCHED, text


def test_a_file_of_several_that_pokerkit_wrote_is_replayed() -> None:
    notation = pytest.importorskip("pokerkit.notation")
    loads = notation.HandHistory.loads
    hands = [loads(_written_by_pokerkit(Random(number), 3)) for number in range(5)]
    texts = split_hands(notation.HandHistory.dumps_all(hands))
    assert [replay(read_phh(text)).verdict() for text in texts] == [ReplayVerdict.MATCHED] * 5
    ours = join_hands([write_phh(read_phh(text)) for text in texts])
    assert [list(theirs)[-1].stacks for theirs in notation.HandHistory.loads_all(ours)] == [
        hand.finishing_stacks for hand in hands
    ]


def _written_by_pokerkit(random: Random, players: int, *, limit: bool = False, unit: int | Decimal = 1) -> str:
    """A random hand that PokerKit deals, plays and writes by itself."""
    pokerkit = pytest.importorskip("pokerkit")
    automations = tuple(each for each in pokerkit.Automation if each.name not in ("HOLE_DEALING", "BOARD_DEALING"))
    big = random.choice((2, 4, 10))
    blinds = [random.randint(1, big - 1) * unit, big * unit] + [0] * (players - 2)
    antes = [random.choice((0, 0, 1, 3)) * unit] * players
    bets = (big * unit, 2 * big * unit) if limit else (big * unit,)
    kind = pokerkit.FixedLimitTexasHoldem if limit else pokerkit.NoLimitTexasHoldem
    game = kind(automations, True, antes, blinds, *bets, mode=pokerkit.Mode.CASH_GAME)
    state = game([random.randint(1, random.choice((12, 60, 300))) * unit for _ in range(players)], players)
    cards = random.sample([repr(card) for card in pokerkit.Deck.STANDARD], 2 * players + 5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        while state.status:
            _move(state, random, cards)
    history = pokerkit.HandHistory.from_game_state(
        game, state, finishing_stacks=state.stacks, ante_trimming_status=True
    )
    text: str = history.dumps()
    return text


def _move(state: Any, random: Random, cards: list[str]) -> None:
    if state.can_deal_hole():
        state.deal_hole(cards.pop() + cards.pop())
    elif state.can_deal_board():
        state.deal_board("".join(cards.pop() for _ in range(state.board_dealing_count)))
    elif state.checking_or_calling_amount and random.random() < 0.25:
        state.fold()
    elif random.random() < 0.35 and state.can_complete_bet_or_raise_to():
        least = state.min_completion_betting_or_raising_to_amount
        most = state.max_completion_betting_or_raising_to_amount
        state.complete_bet_or_raise_to(random.choice((least, most)))
    else:
        state.check_or_call()
