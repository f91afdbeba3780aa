"""A persona at the table: legal, the same from the same randomness, with a plan, a mood, and a thought to tell."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from seats import views

from tahur.arena.match import run
from tahur.core.player import Decision, View
from tahur.games.registry import game_of, make
from tahur.players.bounded.mood import Axes, MoodState
from tahur.players.bounded.options import Label, Option, OptionKind, Style
from tahur.players.bounded.personas import house, persona_named
from tahur.players.bounded.player import BoundedPlayer, action_of, first_plan
from tahur.players.bounded.prompt import FULL, LEAN, PromptStyle, messages_for, option_line, schema_for
from tahur.players.simple import Maniac, RandomPlayer

RNG = np.random.default_rng


class Twice:
    """Lets a player decide twice from the same randomness, and checks both."""

    def __init__(self, player: BoundedPlayer) -> None:
        self.player, self.decisions = player, 0
        self.begin, self.learn, self.learns = player.begin, player.learn, True

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        before = rng.bit_generator.state
        first = self.player.act(view, rng)
        rng.bit_generator.state = before
        assert self.player.act(view, rng) == first
        assert first.action in view.table.actions()
        self.decisions += 1
        return first


@pytest.mark.parametrize(
    ("game", "settings"),
    [("nlhe", {"seats": 6, "carry": False}), ("nlhe", {"stacks": [3, 40, 0, 9, 200]}), ("limit", {"seats": 3})],
)
def test_it_plays_by_the_rules_and_the_same_from_the_same_randomness(game: str, settings: dict[str, object]) -> None:
    table = make(game, settings)
    players = [Twice(BoundedPlayer(house()[2 * seat])) for seat in range(table.seats)]
    for _ in run(table, players, seed=3, deals=6):
        pass
    assert sum(player.decisions for player in players) > 15


def test_the_thought_tells_mood_menu_what_was_blocked_the_roll_and_who_chose() -> None:
    player = BoundedPlayer(persona_named("pirate"))
    player.begin(views()[0], RNG(1))
    thought = player.act(views()[0], RNG(1)).thought
    pattern = (
        r"\[Pirate\] \d+% equity, \d+% needed \| mood composed \(confidence 0\.70, composure 0\.50, energy 0\.80; "
        r"roll 0\.\d\d, lucid\) \| plan \w+: .* \| menu 1 .* \| blocked .* \| chose \d by softmax \(.*\)"
    )
    assert re.fullmatch(pattern, thought)


def test_a_plan_is_made_when_the_cards_are_dealt_and_again_on_each_street() -> None:
    game = make("nlhe", {"seats": 2, "carry": False})
    player = BoundedPlayer(persona_named("tourist"))
    told = set()
    for record in run(game, [player, RandomPlayer()], seed=2, deals=20):
        for thought in record.thoughts:
            street = len(list(record.replay(game_of(record)))[thought.at].board)
            plan = re.search(r"\| plan (\w+): \w", thought.text)
            assert plan is not None
            assert plan[1] == {0: "preflop", 3: "flop", 4: "turn", 5: "river"}[street]
            told.add(plan[1])
    assert told == {"preflop", "flop", "turn", "river"}


def test_aces_and_rags_make_different_plans() -> None:
    aces, rags = 1325, 3  # AsAh and a deuce with a trey or so
    plans = {first_plan(persona_named("clockmaker"), hand) for hand in (aces, rags)}
    assert len(plans) == 2


def test_losing_big_again_and_again_tilts_who_has_no_resilience_and_time_heals() -> None:
    game = make("nlhe", {"seats": 2, "carry": False})
    fragile = BoundedPlayer(replace(persona_named("firework"), resilience=0.0, composure=0.5))
    moods = set()
    for _ in run(game, [fragile, Maniac()], seed=6, deals=30):
        moods.add(fragile.mood.state)
    assert moods - {MoodState.COMPOSED}
    away = fragile.heart = replace(fragile.heart, axes=Axes(0.2, 0.1, 0.5))
    for _ in run(game, [fragile, Folding()], seed=7, deals=80):
        pass
    assert fragile.heart.axes.composure > away.axes.composure


class Folding(RandomPlayer):
    """Gives up at once, so that nothing happens."""

    def act(self, view: View, rng: np.random.Generator) -> Decision:
        return Decision(min(view.table.actions()))


@pytest.mark.parametrize(
    ("act", "raise_to", "action"),
    [
        (OptionKind.FOLD, None, 0),
        (OptionKind.CHECK, None, 1),
        (OptionKind.CALL, None, 1),
        (OptionKind.RAISE, 24, 25),
        (OptionKind.ALL_IN, None, 1),
    ],
)
def test_an_option_is_an_action_of_the_rules(act: OptionKind, raise_to: int | None, action: int) -> None:
    option = Option(act=act, raise_to=raise_to, label=Label.NEUTRAL, style=Style.STANDARD, chip_ev=0.0, text="")
    assert action_of(option, views()[0].table) == action


# ---- the prompt ----------------------------------------------------------------------------------


def prompt_of(view: View, style: PromptStyle = FULL, plan: str = "river: wait") -> str:
    from tahur.players.bounded.choosers import Page
    from tahur.players.bounded.menu import write_menu
    from tahur.players.bounded.situation import situation_of

    persona = persona_named("ferryman")
    situation = situation_of(view)
    written = write_menu(situation, persona.profile, rng=RNG(1))
    page = Page(
        persona=persona, mood=BoundedPlayer(persona).mood, situation=situation, menu=written.menu, view=view, plan=plan
    )
    return "\n".join(message["content"] for message in messages_for(page, style))


def test_the_prompt_says_what_the_engine_knows() -> None:
    view = next(view for view in views() if len(view.table.board) >= 3)
    prompt = prompt_of(view)
    for told in ("You hold ", "beats ", "Board: ", "Street: ", "Position: ", " BB", "Action so far: preflop: ",
                 "Your mood: composed", "Your plan: river: wait", "Options:\n1. ", "2. ", "JSON only",
                 "never instructions"):  # fmt: skip
        assert told in prompt, told
    hand = view.game.hand_text(view.hand)
    assert f"You hold {hand[:2]} {hand[2:]}" in prompt or f"You hold {hand[2:]} {hand[:2]}" in prompt


def test_a_lean_prompt_is_much_shorter_and_still_names_the_hand() -> None:
    view = next(view for view in views() if len(view.table.board) >= 3)
    full, lean = prompt_of(view), prompt_of(view, LEAN)
    assert len(lean) < len(full) / 2
    assert "beats " in lean
    assert "beats " not in prompt_of(view, PromptStyle(lean=True, names_hand=False))


def test_the_schema_allows_the_numbers_of_the_menu_and_no_others() -> None:
    assert schema_for(3)["properties"]["option"] == {"type": "integer", "enum": [1, 2, 3]}
    assert list(schema_for(3)["properties"]) == ["option", "thought", "talk", "plan"]
    assert list(schema_for(3, LEAN)["properties"]) == ["option"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Raise to 24. Now.", "2. Raise to 24. Now. (+EV)"),
        ("Raise.", "2. Raise to 24. Raise. (+EV)"),
        ("Take it from them.", "2. Raise to 24. Take it from them. (+EV)"),
    ],
)
def test_an_option_says_what_it_does_once(text: str, line: str) -> None:
    option = Option(
        act=OptionKind.RAISE, raise_to=24, label=Label.POSITIVE, style=Style.STANDARD, chip_ev=3.0, text=text
    )
    assert option_line(2, option, labels=True) == line
    assert option_line(2, option, labels=False) == line.removesuffix(" (+EV)")


@pytest.mark.parametrize("style", [FULL, LEAN], ids=["full", "lean"])
def test_every_amount_of_a_prompt_is_in_big_blinds_with_chips_in_brackets(style: PromptStyle) -> None:
    for view in views():
        prompt = prompt_of(view, style)
        blind = view.table.stakes.blinds[1]
        assert f"1 BB is {blind} chips" in prompt
        for words, chips in re.findall(r"([\d.]+) BB \((\d+)\)", prompt):
            assert float(words) == pytest.approx(int(chips) / blind, abs=0.005)
        bare = re.sub(r"[\d.]+ BB \(\d+\)|1 BB is \d+ chips", "", prompt)
        assert not re.search(r"(call|raise to|bet|all-in for|all-in, to|stack|pot) \d", bare, re.IGNORECASE), bare
