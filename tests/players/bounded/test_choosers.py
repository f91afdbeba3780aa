"""Choosers that need no model: what they pick, how likely, and which trait moves what."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from seats import views

from tahur.players.bounded.choosers import ByEv, Page, Scripted, Softmax, best_number, chances_of
from tahur.players.bounded.mood import CALM
from tahur.players.bounded.options import Label, Menu, Option, OptionKind, Style
from tahur.players.bounded.personas import Persona
from tahur.players.bounded.situation import situation_of

MIDDLE = Persona("Middle")
ACTS = {
    OptionKind.FOLD: Style.CONSERVATIVE,
    OptionKind.CHECK: Style.CONSERVATIVE,
    OptionKind.CALL: Style.STANDARD,
    OptionKind.RAISE: Style.STANDARD,
}

options_strategy = st.lists(
    st.builds(
        Option,
        st.sampled_from(OptionKind),
        st.just(None),
        st.sampled_from(Label),
        st.sampled_from(Style),
        st.floats(-100, 100),
        st.just(""),
    ),
    min_size=2,
    max_size=5,
    unique_by=lambda option: (option.act, option.style),
)
figures = st.floats(0, 1)


def option(act: OptionKind, label: Label = Label.NEUTRAL, chips: float = 0.0, style: Style | None = None) -> Option:
    return Option(
        act=act, raise_to=None, label=label, style=style or ACTS.get(act, Style.AGGRESSIVE), chip_ev=chips, text=""
    )


def page(options: Sequence[Option], persona: Persona = MIDDLE) -> Page:
    view = views()[0]
    return Page(persona=persona, mood=CALM, situation=situation_of(view), menu=Menu(tuple(options)), view=view)


@given(options_strategy, figures, figures)
def test_chances_are_chances_and_nothing_on_a_menu_is_impossible(
    options: list[Option], looseness: float, aggression: float
) -> None:
    chances = chances_of(options, Persona("Any", looseness=looseness, aggression=aggression))
    assert sum(chances) == pytest.approx(1)
    assert min(chances) > 0


def test_looseness_moves_folds_and_nothing_among_the_rest() -> None:
    menu = [option(OptionKind.FOLD), option(OptionKind.CALL), option(OptionKind.RAISE)]
    tight, loose = (chances_of(menu, Persona("Any", looseness=looseness)) for looseness in (0.1, 0.9))
    assert tight[0] > loose[0] + 0.3
    assert tight[1] / tight[2] == pytest.approx(loose[1] / loose[2])


def test_aggression_moves_bets_and_not_how_often_it_stays() -> None:
    menu = [
        option(OptionKind.FOLD),
        option(OptionKind.CALL),
        option(OptionKind.RAISE),
        option(OptionKind.RAISE, style=Style.AGGRESSIVE),
    ]
    calm, bold = (chances_of(menu, Persona("Any", aggression=aggression)) for aggression in (0.1, 0.9))
    assert calm[0] == pytest.approx(bold[0])
    assert bold[2] + bold[3] > calm[2] + calm[3] + 0.4
    assert bold[3] / bold[2] > 2 * calm[3] / calm[2]


@pytest.mark.parametrize("act", [OptionKind.FOLD, OptionKind.CALL, OptionKind.RAISE])
def test_a_better_label_is_likelier(act: OptionKind) -> None:
    others = [option(each) for each in (OptionKind.FOLD, OptionKind.CALL, OptionKind.RAISE) if each is not act]
    likely = [chances_of([option(act, label), *others], MIDDLE)[0] for label in Label]
    assert likely == sorted(likely)
    assert likely[-1] > 2 * likely[0]


def test_softmax_draws_as_it_tells() -> None:
    menu = page([option(OptionKind.FOLD), option(OptionKind.CALL, Label.POSITIVE), option(OptionKind.RAISE)])
    rng, draws = np.random.default_rng(3), 2_000
    counted = np.bincount([Softmax().choose(menu, rng).number for _ in range(draws)], minlength=4)[1:] / draws
    assert np.abs(counted - chances_of(menu.menu.options, MIDDLE)).max() < 4 * 0.5 / draws**0.5


@given(options_strategy, figures)
def test_the_best_option_has_the_best_label_and_of_those_most_chips(options: list[Option], aggression: float) -> None:
    chosen = options[best_number(page(options, Persona("Any", aggression=aggression))) - 1]
    assert chosen.label == max(each.label for each in options)
    assert chosen.chip_ev == max(each.chip_ev for each in options if each.label == chosen.label)


def test_equal_options_are_told_apart_by_what_suits_the_persona() -> None:
    menu = [option(OptionKind.RAISE, style=style) for style in (Style.CONSERVATIVE, Style.STANDARD, Style.AGGRESSIVE)]
    chosen = [ByEv().choose(page(menu, Persona("Any", aggression=each)), None).number for each in (0.0, 0.5, 1.0)]  # type: ignore[arg-type]
    assert chosen == [1, 2, 3]


def test_a_script_is_followed_and_starts_again() -> None:
    scripted, rng = Scripted.of(2, 9, 1), np.random.default_rng(1)
    menu = page([option(OptionKind.FOLD), option(OptionKind.CALL), option(OptionKind.RAISE)])
    assert [scripted.choose(menu, rng).number for _ in range(4)] == [2, 3, 1, 2]
