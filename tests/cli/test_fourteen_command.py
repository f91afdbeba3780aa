"""`tahur cards fourteen` as somebody at the terminal, or a program, sees it."""

from __future__ import annotations

import json
from typing import Any

import pytest
import typer
from invoked import run_of

from tahur.cli.cards.command import fourteen
from tahur.core.errors import SettingError, UnknownName

app = typer.Typer(pretty_exceptions_enable=False)
app.command("fourteen")(fourteen)


def run(*arguments: str) -> str:
    return run_of(app, *arguments)


def actions(*arguments: str) -> list[dict[str, Any]]:
    answer = json.loads(run(*arguments, "--json"))
    assert list(answer) == ["unit", "actions"]
    found: list[dict[str, Any]] = answer["actions"]
    return found


def raises(*arguments: str) -> dict[str, int]:
    return {action["name"]: action["raise_to"] for action in actions(*arguments) if action["raise_to"] is not None}


def test_the_worked_example_in_json() -> None:
    found = actions("--pot", "150", "--bet", "0", "--big-blind", "100", "--stack", "10000")
    assert found[0] == {
        "index": 0,
        "name": "fold",
        "legal": False,
        "raise_to": None,
        "reason": "checking is free",
    }
    assert found[7] == {"index": 7, "name": "75 %", "legal": True, "raise_to": 113, "reason": None}
    assert [action["index"] for action in found] == list(range(14))
    assert [action["index"] for action in found if action["legal"]] == [1, 7, 8, 9, 10, 11, 12, 13]


def test_left_alone_it_is_an_open_pot_100_blinds_deep() -> None:
    assert actions("--pot", "150") == actions("--pot", "150", "--bet", "0", "--big-blind", "100", "--stack", "10000")
    assert raises("--pot", "3", "--big-blind", "2")["all-in"] == 200


def test_without_a_last_raise_it_is_the_bet_and_at_least_the_big_blind() -> None:
    assert raises("--pot", "450", "--bet", "300")["min-raise"] == 600
    assert raises("--pot", "190", "--bet", "40")["min-raise"] == 140  # a short all-in bet
    assert raises("--pot", "450", "--bet", "300", "--last-raise", "200")["min-raise"] == 500


def test_committed_chips_count() -> None:
    assert raises("--pot", "150", "--bet", "100", "--committed", "50", "--stack", "950")["all-in"] == 1_000


def test_not_reopened_leaves_no_raise() -> None:
    assert raises("--pot", "450", "--bet", "300", "--not-reopened") == {}
    assert raises("--pot", "450", "--bet", "300", "--reopened") == raises("--pot", "450", "--bet", "300")


def test_strict_masks_a_bet_of_exactly_one_big_blind() -> None:
    assert "10 %" in raises("--pot", "1000")
    assert "10 %" not in raises("--pot", "1000", "--strict")


def test_a_plain_pot_base_makes_smaller_raises() -> None:
    assert raises("--pot", "900", "--bet", "300")["100 %"] == 1_500
    assert raises("--pot", "900", "--bet", "300", "--pot-base", "plain")["100 %"] == 1_200


def test_useful_caps_what_nobody_can_call() -> None:
    assert raises("--pot", "150", "--useful", "300")["all-in"] == 300


def test_the_table_shows_every_action_its_chips_or_why_not() -> None:
    lines = run("--pot", "450", "--bet", "300", "--stack", "2000").splitlines()
    rows = [" ".join(line.split()) for line in lines]
    assert rows[0] == "action raise to why not"
    assert rows[1:5] == ["0 fold", "1 call 300", "2 min-raise 600", "3 10 % 375 < minimum raise to 600"]
    assert rows[13:15] == ["12 300 % 2550 > all-in 2000 (index 13)", "13 all-in 2000"]
    assert rows[15] == "10 of 14 legal; percentages of 750 chips, the pot after a call"
    assert rows[16] == "assuming that the last full raise was 300; set it with --last-raise"
    assert max(map(len, lines)) <= 80


def test_the_table_of_an_open_pot_speaks_of_bets_and_checks() -> None:
    rows = [" ".join(line.split()) for line in run("--pot", "150").splitlines()]
    assert rows[0] == "action bet why not"
    assert rows[2] == "1 check"
    assert rows[-1] == "8 of 14 legal; percentages of 150 chips, the pot"


def test_a_call_for_less_is_shown_as_what_it_costs() -> None:
    assert "call 70" in run("--pot", "450", "--bet", "300", "--stack", "70")


def test_an_unknown_pot_base_is_told_the_known_ones() -> None:
    with pytest.raises(UnknownName, match="no pot base 'flat'; valid: after-call or plain"):
        run("--pot", "150", "--pot-base", "flat")


def test_a_pot_without_its_bets_is_refused() -> None:
    with pytest.raises(SettingError, match="pot 100 is less than the bets in it: bet 300, committed 0"):
        run("--pot", "100", "--bet", "300")


def test_big_blinds_are_the_same_as_so_many_chips_and_are_answered_in_big_blinds() -> None:
    chips = actions("--pot", "550", "--bet", "200", "--stack", "2000")
    blinds = actions("--pot", "5.5bb", "--bet", "2bb", "--stack", "20bb")
    assert [each["legal"] for each in blinds] == [each["legal"] for each in chips]
    assert [each["raise_to"] and each["raise_to"] * 100 for each in blinds] == pytest.approx(
        [each["raise_to"] for each in chips]
    )
    shown = run("--pot", "5.5bb", "--bet", "2bb", "--stack", "20bb")
    assert "call 2bb" in shown
    assert "2.75bb < minimum raise to 4bb" in shown
    assert "percentages of 7.5 bb" in shown


def test_what_whole_chips_change_is_said() -> None:
    assert "150 % is 160% of the pot here" in run("--pot", "5", "--big-blind", "1")
    assert "chips are whole" not in run("--pot", "500")
