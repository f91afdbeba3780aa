"""What must hold for every game: `check_game(game)` plays some deals and looks at them from all sides.

The deals are those of a match, so that a button that moves or dice that are lost are looked at too; where the match
ends, it starts again. `actions()` may be a huge range, so only some of them are tried. Messages say which deal of which
game failed, since it is one of many.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from tahur.core import check
from tahur.core.chance import RandomDealer, Streams, dealer_of
from tahur.core.errors import IllegalAction
from tahur.core.game import CHANCE, OVER, Action, Game
from tahur.core.player import Decision, Player, View
from tahur.core.record import Record, Seen
from tahur.core.referee import MOST_LISTED, Play, play, play_out
from tahur.games.entry import GameEntry
from tahur.games.registry import GAMES
from tahur.players.simple import RandomPlayer

SEED = 20260101
SAMPLE = 24  # of a table's actions
HANDS_READ = 5000


def check_game(game: Game[Any], deals: int = 50, *, entry: GameEntry | None = None, zero_sum: bool = True) -> None:
    """All of the contract. `entry` is the game's line in the list, if it is not in `GAMES` yet."""
    entry = entry or GAMES[game.name]
    checked: list[Game[Any]] = []
    for deal in a_match(game, deals):
        if deal.game not in checked:
            checked.append(deal.game)
            check_settings(deal.game, entry)
            check_hands(deal.game)
        check_record(deal)
        check_payoffs(deal, zero_sum=zero_sum)
        check_terminal(deal)
        check_views(deal)
        check_seen(deal)
        check_same_seed(deal)
        check_swapped_players(deal)
        check_tables(deal)


# ---- playing -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal of the match, and the view of each `Ask` in it."""

    game: Game[Any]
    number: int
    record: Record
    views: tuple[View, ...]

    @property
    def tables(self) -> list[Any]:
        return list(self.record.replay(self.game))

    @property
    def where(self) -> str:
        return f"{self.game.name} {dict(self.game.settings)}, deal {self.number}"


def a_match(game: Game[Any], deals: int, seed: int = SEED) -> Iterator[Deal]:
    """So many deals between random players, over several matches if need be."""
    now = game
    for number in range(deals):
        deal = Deal(now, number, *_played(now, number, seed))
        yield deal
        now = now.next(deal.record) or game


class Scripted:
    """Plays the actions it is given, whoever's turn it is, and draws far more randomness than anybody needs."""

    def __init__(self, actions: Sequence[Action]) -> None:
        self._actions = actions

    def begin(self, view: View, rng: np.random.Generator) -> None:
        rng.random(3)

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        rng.random(100)
        return Decision(self._actions[len(view.table.history)])

    def learn(self, seen: Seen) -> None:
        """Nothing to remember."""


class Always:
    """Plays the first legal action (0), the last (1) or one so far between them."""

    def __init__(self, place: float) -> None:
        self._place = place

    def begin(self, view: View, rng: np.random.Generator) -> None:
        """Nothing to prepare."""

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        actions = view.table.actions()
        return Decision(actions[round(self._place * (len(actions) - 1))])

    def learn(self, seen: Seen) -> None:
        """Nothing to remember."""


def _played(game: Game[Any], number: int, seed: int) -> tuple[Record, tuple[View, ...]]:
    streams = Streams(seed, game.seats)
    streams.turn_to(number)
    player = RandomPlayer()
    referee = play(game, RandomDealer(streams.chance))
    views: list[View] = []
    try:
        ask = next(referee)
        while True:
            views.append(ask.view)
            ask = referee.send(player.act(ask.view, streams.seats[ask.view.seat]))
    except StopIteration as stop:
        return stop.value, tuple(views)


def _played_by(deal: Deal, players: Sequence[Player]) -> Record:
    """The same deal of the match, other players."""
    streams = Streams(SEED, deal.game.seats)
    streams.turn_to(deal.number)
    return play_out(deal.game, RandomDealer(streams.chance), players, streams.seats)


def some(actions: Sequence[Action], most: int = SAMPLE) -> list[Action]:
    """Spread over all of them, both ends included."""
    if len(actions) <= most:
        return list(actions)
    return [actions[int(at)] for at in np.linspace(0, len(actions) - 1, most).round()]


# ---- the game itself -----------------------------------------------------------------------------


def check_settings(game: Game[Any], entry: GameEntry) -> None:
    """They are JSON and make an equal game again; neither can be changed from outside."""
    settings = dict(game.settings)
    text = json.dumps(settings, allow_nan=False)
    assert json.loads(text) == settings, f"{game.name}: JSON changes the settings {settings}"
    again = entry.make(**json.loads(text))
    assert again == game, f"{game.name}: {settings} makes {again}, not {game}"
    assert repr(again) == repr(game)
    assert entry.name == game.name
    assert game.seats == len(game.deal(np.random.default_rng(SEED)))
    _check_frozen(game, "name", "seats")


def check_hands(game: Any) -> None:
    """Where the hands can be listed: the prior is one, dealt hands are among them, and each reads differently."""
    dealt = game.deal(np.random.default_rng(SEED))
    assert all(type(hand) is int for hand in dealt), f"{game.name}: deals {dealt}, not plain integers"
    if not hasattr(game, "prior"):
        return
    assert game.possible(dealt), f"{game.name}: deals {dealt}, which it calls impossible"
    for seat, hand in enumerate(dealt):
        hands, prior = game.hands(seat), game.prior(seat)
        assert hand in hands, f"{game.name}: seat {seat} was dealt {hand}, which is not in its hands"
        assert len(set(hands)) == len(hands) == len(prior)
        assert np.all(prior >= 0)
        assert math.isclose(prior.sum(), 1, abs_tol=1e-9), f"{game.name}: the prior adds up to {prior.sum()}"
        texts = [game.hand_text(each) for each in some(hands, HANDS_READ)]
        assert len(set(texts)) == len(texts), f"{game.name}: two hands read alike"


# ---- the record ----------------------------------------------------------------------------------


def check_record(deal: Deal) -> None:
    """Replay equals record, the dealer deals it again, and it is one JSON line there and back."""
    game, record, tables = deal.game, deal.record, deal.tables
    assert (record.game, dict(record.settings)) == (game.name, dict(game.settings)), deal.where
    assert tables[0] == game.start(), deal.where
    assert [table.turn == OVER for table in tables] == [False] * (len(tables) - 1) + [True], deal.where
    for at, table in enumerate(tables):
        assert table.history == record.actions[:at], f"{deal.where}: the history is not the actions: {table}"
    assert game.payoffs(tables[-1], record.hands) == record.payoffs, deal.where
    again = play_out(game, dealer_of(record, game), [Scripted(record.actions)] * game.seats, _rngs(game))
    assert again == record, f"{deal.where}: dealt again it became {again}"
    line = record.to_json()
    assert "\n" not in line
    assert Record.from_json(line) == record, f"{deal.where}: JSON changes the record"


def check_payoffs(deal: Deal, *, zero_sum: bool) -> None:
    payoffs = deal.record.payoffs
    assert len(payoffs) == deal.game.seats, deal.where
    assert all(type(paid) in (int, float) and math.isfinite(paid) for paid in payoffs), f"{deal.where}: {payoffs}"
    if zero_sum:
        assert math.isclose(math.fsum(payoffs), 0, abs_tol=1e-9), f"{deal.where}: {payoffs} do not add up to 0"


def check_terminal(deal: Deal) -> None:
    """Where two sit, the terminal pays every pair of hands what `payoffs` pays; of many pairs only some are tried."""
    game: Any = deal.game
    if game.seats == 2 and hasattr(game, "terminal"):
        seen = check.RandomDeal(game, deal.number, tuple(deal.record.hands), tuple(deal.tables))
        check.check_terminal(seen)
        for symmetry in game.symmetries():
            check.check_symmetry(seen, symmetry)


def check_same_seed(deal: Deal) -> None:
    again, views = _played(deal.game, deal.number, SEED)
    assert again == deal.record, f"{deal.where}: the same seed gives {again}, then {deal.record}"
    assert views == deal.views, deal.where


def check_swapped_players(deal: Deal) -> None:
    """Whoever plays, and however much randomness they use, chance deals the same."""
    game, seats = deal.game, deal.game.seats
    for seat in range(seats):
        players: list[Player] = [RandomPlayer() for _ in range(seats)]
        players[seat] = Scripted(deal.record.actions)
        assert _played_by(deal, players) == deal.record, f"{deal.where}: seat {seat} changed the deal by fidgeting"
    dealt = _chance_moves(deal.record, game)
    for player in (Always(0), Always(0.4), Always(1)):
        other = _played_by(deal, [player] * seats)
        assert other.hands == deal.record.hands, f"{deal.where}: other players got other hands"
        for history, move in _chance_moves(other, game).items():
            assert dealt.setdefault(history, move) == move, f"{deal.where}: other players got another card"


def _chance_moves(record: Record, game: Game[Any]) -> dict[tuple[Action, ...], Action]:
    """What chance played after each public history."""
    tables = zip(record.replay(game), record.actions, strict=False)
    return {table.history: action for table, action in tables if table.turn == CHANCE}


def _rngs(game: Game[Any]) -> list[np.random.Generator]:
    return [np.random.default_rng(seat) for seat in range(game.seats)]


# ---- what a seat is shown ------------------------------------------------------------------------


def check_views(deal: Deal) -> None:
    """Each view is of the seat whose turn it is, and has its hand and no other."""
    asked = [table for table in deal.tables if table.turn >= 0]
    assert [view.table for view in deal.views] == asked, deal.where
    for view in deal.views:
        assert view.seat == view.table.turn, f"{deal.where}: {view}"
        assert view.hand == deal.record.hands[view.seat], f"{deal.where}: {view}"
        assert view.game == deal.game, f"{deal.where}: {view}"


def check_seen(deal: Deal) -> None:
    """Nothing is revealed before the end, nor another's hand that is not revealed, nor payoffs too early."""
    game, record = deal.game, deal.record
    for upto, table in enumerate(deal.tables):
        shown = game.revealed(table)
        assert not shown or table.turn == OVER, f"{deal.where}: seats {shown} are revealed by {table}"
        assert sorted({*shown} & {*range(game.seats)}) == sorted(shown), f"{deal.where}: shows {shown}"
        for seat in (None, *range(game.seats)):
            seen = record.seen_by(game, seat, upto)
            known = {*shown, seat}
            expected = tuple(hand if at in known else None for at, hand in enumerate(record.hands))
            assert seen.hands == expected, f"{deal.where}: seat {seat} sees {seen.hands} on {table}"
            assert (seen.payoffs is None) == (table.turn != OVER), f"{deal.where}: payoffs on {table}"


# ---- the tables ----------------------------------------------------------------------------------


def check_tables(deal: Deal) -> None:
    for table in deal.tables:
        _check_frozen(table, "history", "turn")
        assert {table} == {_rebuilt(deal.game, table)}, f"{deal.where}: the same history makes two tables: {table}"
        _check_outcomes(deal, table)
        _check_labels(deal, table)
        _check_illegal(deal, table)
    for view in deal.views[:1] + deal.views[-1:]:
        _check_refused(deal, view.table)


def _rebuilt(game: Game[Any], table: Any) -> Any:
    again = game.start()
    for action in table.history:
        again = again.after(action)
    return again


def _check_frozen(value: Any, *names: str) -> None:
    for name in names:
        with pytest.raises((AttributeError, TypeError)):  # 3.11: TypeError for a property of a slotted dataclass
            setattr(value, name, getattr(value, name))


def _check_outcomes(deal: Deal, table: Any) -> None:
    """Chance has outcomes when it is its turn and only then; hands take some away, and add none."""
    public = deal.game.outcomes(table, ())
    private = deal.game.outcomes(table, deal.record.hands)
    if table.turn != CHANCE:
        assert not [*public, *private], f"{deal.where}: chance has moves on {table}"
        return
    assert len(table.actions()) == 0, f"{deal.where}: a seat has actions when chance moves: {table}"
    assert len(private) > 0, f"{deal.where}: chance has no move on {table}"
    assert set(private) <= set(public), f"{deal.where}: hands add outcomes to {table}"
    for move in some(private, 5):
        assert table.after(move).history == (*table.history, move)


def _check_labels(deal: Deal, table: Any) -> None:
    """Those of chance too: a history is read by people."""
    actions = some(deal.game.outcomes(table, ()) if table.turn == CHANCE else table.actions())
    labels = [deal.game.label(table, action) for action in actions]
    assert len(set(labels)) == len(labels), f"{deal.where}: labels {labels} of {table}"
    assert all(labels), f"{deal.where}: an action of {table} has an empty label"
    assert all(type(action) is int for action in actions), f"{deal.where}: actions {actions} of {table}"
    assert bool(actions) == (table.turn != OVER), f"{deal.where}: {table} has the actions {actions}"


def _check_illegal(deal: Deal, table: Any) -> None:
    """By the table, which may not know labels: it names the first legal action, and unless they are many the last."""
    actions = table.actions()
    ends = [*actions[:1], *(actions[-1:] if len(actions) <= MOST_LISTED else ())]
    for action in _illegal(deal.game, table):
        with pytest.raises(IllegalAction) as caught:
            table.after(action)
        for legal in ends:
            named = re.search(rf"{re.escape(deal.game.label(table, legal))}|\b{legal}\b", str(caught.value))
            assert named, f"{deal.where}: {caught.value} does not name {legal}, {deal.game.label(table, legal)}"


def _check_refused(deal: Deal, table: Any) -> None:
    """By the referee, asked on this table: it names the legal actions by label, the first ones if they are many."""
    legal = table.actions()[:MOST_LISTED]
    for action in _illegal(deal.game, table):
        referee = _referee_at(deal, table)
        with pytest.raises(IllegalAction) as caught:
            referee.send(Decision(action))
        missing = [label for each in legal if (label := deal.game.label(table, each)) not in str(caught.value)]
        assert not missing, f"{deal.where}: {caught.value} does not name {missing}"


def _referee_at(deal: Deal, table: Any) -> Play:
    """A referee that waits for the decision on this table."""
    referee = play(deal.game, dealer_of(deal.record, deal.game))
    ask = next(referee)
    while ask.view.table != table:
        ask = referee.send(Decision(deal.record.actions[len(ask.view.table.history)]))
    return referee


def _illegal(game: Game[Any], table: Any) -> list[Action]:
    """Numbers around and between the legal ones that are not among them."""
    legal = game.outcomes(table, ()) if table.turn == CHANCE else table.actions()
    if not legal:
        return [-1, 0, 1, 2]
    some_legal = some(legal)
    gaps = [low + 1 for low, high in pairwise(some_legal) if low + 1 < high]
    tried = [-1000, -3, -2, -1, 0, min(some_legal) - 1, *gaps, max(some_legal) + 1, max(some_legal) + 1000, 2**40]
    return [action for action in dict.fromkeys(tried) if action not in legal]
