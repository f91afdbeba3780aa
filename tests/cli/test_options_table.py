"""`tahur persona options` writes the menu that a persona at the table is offered: position, callers, equity."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from invoked import run_of

from tahur.cards.cards import Card, cards_of, cards_text, combo_of, parse_cards
from tahur.cli.personas.line import line_text
from tahur.cli.personas.options import fitting, options, played_view
from tahur.core.chance import RandomDealer
from tahur.core.errors import SettingError
from tahur.core.player import Decision, View
from tahur.core.referee import play
from tahur.games.holdem.limit import limit
from tahur.games.holdem.rules import Holdem, no_limit
from tahur.games.holdem.stakes import Limit
from tahur.games.holdem.table import CALL, FOLD
from tahur.players.bounded.menu import write_menu
from tahur.players.bounded.mood import Mood
from tahur.players.bounded.position import Position, position_of
from tahur.players.bounded.profiles import PROFILES
from tahur.players.bounded.situation import EquityEstimate, situation_of, stated
from tahur.players.opponents import USUAL

Rng = np.random.Generator
KNOWN = EquityEstimate(0.47)


def told(*arguments: str) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(run_of(options, *arguments, "--json"))
    return answer


def _random_game(rng: Rng) -> Holdem:
    seats, big = int(rng.integers(2, 10)), 2 * int(rng.integers(1, 20))
    stacks = [max(1, int(big * 200 ** rng.random())) for _ in range(seats)]
    made: dict[str, Any] = {"stacks": stacks, "blinds": (big // 2, big), "ante": int(rng.integers(0, 3))}
    made["button"] = int(rng.integers(seats))
    return limit(**made, bets=(big, 2 * big)) if rng.random() < 0.2 else no_limit(**made)


def _random_views(rng: Rng, count: int) -> list[View]:
    """Decisions of hands that are played at random, with more calls than folds."""
    views: list[View] = []
    while len(views) < count:
        referee = play(_random_game(rng), RandomDealer(rng))
        try:
            ask = next(referee)
            while True:
                views.append(ask.view)
                moves = ask.view.table.actions()
                raised = moves[int(rng.random() ** 4 * len(moves))]
                ask = referee.send(Decision(CALL if rng.random() < 0.5 else raised))
        except StopIteration:
            continue
    return views[:count]


def _arguments(view: View) -> dict[str, Any]:
    """A table as somebody would type it, from left of the button on."""
    stakes = view.table.stakes
    return {
        "hand": cards_text(cards_of(view.hand)),
        "board": cards_text(map(Card, view.table.board)),
        "stacks": ",".join(str(stakes.stacks[seat]) for seat in stakes.order),
        "line": line_text(view),
        "seats": len(stakes.order),
        "big_blind": stakes.blinds[1],
        "ante": stakes.ante,
        "limit_bet": stakes.structure.small_bet if isinstance(stakes.structure, Limit) else None,
    }


def test_a_thousand_tables_give_the_command_the_situation_they_have() -> None:
    rng = np.random.default_rng(10)
    for view in _random_views(rng, 1000):
        typed = played_view(**_arguments(view))
        wanted, found = (situation_of(each, estimate=KNOWN) for each in (view, typed))
        assert found == wanted, line_text(view)
        assert USUAL.opponents(typed.game, typed.table) == USUAL.opponents(view.game, view.table)
        menus = [
            write_menu(situation, PROFILES["default"], Mood(), rng=np.random.default_rng(1))
            for situation in (wanted, found)
        ]
        assert menus[0] == menus[1]


def test_the_command_prints_the_menu_of_the_table() -> None:
    for view in _random_views(np.random.default_rng(11), 12):
        typed = _arguments(view)
        words = [word for name, value in typed.items() if value is not None
                 for word in (f"--{name.replace('_', '-')}", str(value))]  # fmt: skip
        situation = situation_of(view)
        written = write_menu(situation, PROFILES["default"], Mood(), rng=np.random.default_rng(0))
        answer = told(*words)
        assert (answer["equity"], answer["required"]) == (situation.equity, situation.required)
        assert answer["menu"] == [option.as_json(number) | _folds(option)
                                  for number, option in enumerate(written.menu.options, start=1)]  # fmt: skip


def _folds(option: Any) -> dict[str, float]:
    return {} if option.folds is None else {"assumed_folds": round(option.folds, 4)}


@pytest.mark.parametrize("seats", range(2, 10))
@pytest.mark.parametrize("before", ["folds", "calls", "one raise"])
def test_chips_alone_give_the_table_that_has_them(seats: int, before: str) -> None:
    """Folded, called or raised up to each seat: what the short form takes to have happened is what did."""
    game = no_limit(stacks=[1000] * seats, blinds=(5, 10))
    table, first = game.start(), True
    met: set[Position] = set()
    while table.turn >= 0 and table.street == 0:
        view = View(game, table, table.turn, combo_of(parse_cards("AhKh")))
        position = position_of(table.stakes, table.turn)
        rough = stated(
            hole=parse_cards("AhKh"), pot=table.pot, to_call=table.to_call, stack=table.stacks[table.turn],
            estimate=KNOWN, big_blind=10, seats=seats, position=position,
        )  # fmt: skip
        found = fitting(rough, table.to_call, None)
        assert found is not None
        assert found.table.pot == table.pot
        assert situation_of(found, estimate=KNOWN).raises == situation_of(view, estimate=KNOWN).raises
        if before == "folds" and position not in met:  # of two seats with one name the first is meant
            assert situation_of(found, estimate=KNOWN).opponents == len(table.live) - 1
        table = table.after({"folds": FOLD, "calls": CALL}.get(before, 31 if first else FOLD))
        first = False
        met.add(position)


def test_ace_king_suited_first_of_six_is_offered_a_raise() -> None:
    answer = told("--hand", "AhKh", "--pot", "15", "--to-call", "10", "--stack", "990", "--seats", "6",
                  "--position", "early")  # fmt: skip
    assert answer["line"] == ""
    assert "raise" in [option["action"] for option in answer["menu"]]
    assert answer["equity"] > 0.45


def test_a_hand_outside_the_range_is_told_the_position_and_the_share() -> None:
    words = ("--hand", "7h2c", "--pot", "45", "--to-call", "30", "--stack", "970", "--seats", "6")
    text = run_of(options, *words, "--position", "button", "--profile", "tight_passive", "--mode", "study")
    assert "range from the button" in text.replace("\n", " ")
    [fold, *_] = told(*words, "--position", "button", "--mode", "study")["layers"][2]["menu"]
    assert fold["text"] == "Fold: outside your 60 % range from the button."


@pytest.mark.parametrize(
    "line",
    ["f f f f f", "f r5", "c c c c c c", "f f f f r1000 f c", "r30 zz"],
    ids=["over", "small", "flop", "end", "zz"],
)
def test_a_line_that_leads_nowhere_is_refused(line: str) -> None:
    with pytest.raises(SettingError, match="--line"):
        told("--hand", "AhKh", "--seats", "6", "--stacks", "1000", "--line", line)
