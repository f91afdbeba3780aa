"""The rule card: read by people, so its text is golden; true of the rules, so it differs where they do.

After a change on purpose, write the golden cards again and read the difference:
`python tests/games/perudo/test_perudo_card.py` in the project's environment.
"""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from perudo_talk import legal_after
from test_perudo_matches import some_rules

from tahur.games.perudo.card import rule_card
from tahur.games.perudo.game import perudo
from tahur.games.perudo.rules import FAROLEO, PRESETS, Calza, Palifico, PerudoRules, rules_to_json

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize("name", list(PRESETS))
def test_the_card_of_each_preset_reads_as_agreed(name: str) -> None:
    assert rule_card(PRESETS[name]) + "\n" == (GOLDEN / f"{name}_card.txt").read_text("utf-8")


@given(some_rules, some_rules)
def test_different_rules_have_different_cards(first: PerudoRules, second: PerudoRules) -> None:
    assert (rule_card(first) == rule_card(second)) == (first == second)


@given(some_rules, some_rules)
def test_changing_any_one_field_changes_the_card(rules: PerudoRules, other: PerudoRules) -> None:
    for field in fields(PerudoRules):
        changed = replace(rules, **{field.name: getattr(other, field.name)})
        assert (rule_card(changed) == rule_card(rules)) == (changed == rules)


@given(some_rules, st.builds(Palifico, st.booleans(), st.booleans(), st.booleans()))
def test_changing_any_part_of_palifico_changes_the_card(rules: PerudoRules, palifico: Palifico) -> None:
    changed = replace(rules, palifico=palifico)
    assert (rule_card(changed) == rule_card(rules)) == (changed == rules)


@given(some_rules)
def test_a_card_is_ten_to_fifteen_short_lines(rules: PerudoRules) -> None:
    lines = rule_card(rules).splitlines()
    assert 10 <= len(lines) <= 15
    assert all(line.strip() == line and len(line) < 180 for line in lines)


@given(some_rules)
def test_what_the_card_says_is_what_the_table_does(rules: PerudoRules) -> None:
    card, settings = rule_card(rules), rules_to_json(replace(rules, dice=5))
    two, three = (perudo(rules=settings, cups=[3] * seats, palifico_round=False) for seats in (2, 3))
    assert ("aces too.\nDudo" in card) == ("1 ace" in legal_after(two))
    assert ("The opener bids. Then each seat in turn raises the bid or calls dudo." in card) == (
        "calza" not in legal_after(three, "1 two")
    )
    calza = next((line for line in card.splitlines() if line.startswith("Calza")), "")
    assert ("Also when only two" in calza) == ("calza" in legal_after(two, "1 two"))
    assert ("higher count of any face" in card) == ("4 twos" in legal_after(two, "3 fives"))
    if rules.palifico is not None:
        special = perudo(rules=settings, cups=[1, 1, 2], palifico_round=True)
        assert ("nobody may change it." in card) == ("3 sixes" not in legal_after(special, "2 fives"))


def test_a_changed_preset_says_so_and_a_cup_of_one_die_is_singular() -> None:
    assert rule_card(replace(FAROLEO, calza=Calza.OFF)).startswith("Perudo, faroleo rules, with changes\n")
    assert "Each starts with 1 die," in rule_card(replace(FAROLEO, dice=1))


if __name__ == "__main__":
    for preset, of in PRESETS.items():
        (GOLDEN / f"{preset}_card.txt").write_text(rule_card(of) + "\n", "utf-8")
