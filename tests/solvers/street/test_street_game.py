"""The street game: its rules, its money, the contract of all games, and matrices exact, independent and sampled."""

from __future__ import annotations

import json

import numpy as np
import pytest

from games.contract import check_game
from tahur.core.errors import SettingError, UnknownName
from tahur.core.game import OVER
from tahur.games.holdem.buckets import Bucket
from tahur.games.holdem.textures import Texture
from tahur.solvers.street.game import ENTRY, StreetGame, StreetTable, decisions, make_street, street_game
from tahur.solvers.street.matrices import exact, independent, sampled, with_ordinal_fallback

WET = StreetGame(Texture.WET)


def after(*labels: str) -> StreetTable:
    table = WET.start()
    for label in labels:
        table = table.after(next(each for each in table.actions() if WET.label(table, each) == label))
    return table


@pytest.mark.parametrize("texture", Texture)
def test_the_street_game_keeps_the_contract(texture: Texture) -> None:
    check_game(StreetGame(texture), deals=30, entry=ENTRY)
    check_game(street_game(independent(exact(texture))), deals=10, entry=ENTRY)


def test_there_are_fourteen_decisions_and_126_information_sets() -> None:
    tables = list(decisions(WET))
    assert len(tables) == 14
    assert len(tables) * len(WET.hands(0)) == 126
    assert [len(table.actions()) for table in tables] == [4, 4, *[3] * 6, *[2] * 6]
    assert [table.turn for table in tables] == [0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1]


@pytest.mark.parametrize(
    ("labels", "first", "second"),
    [
        (("check", "check"), 0.5, 0.5),
        (("bet 33%", "call"), 0.83, 0.83),
        (("bet 33%", "fold"), 0.83, 0.5),
        (("bet 33%", "raise to 1.155", "fold"), 0.83, 1.655),
        (("bet 33%", "raise to 1.155", "call"), 1.655, 1.655),
        (("check", "bet 66%", "raise to 2.31", "call"), 2.81, 2.81),
        (("check", "bet 100%", "raise to 3.5", "fold"), 4.0, 1.5),
    ],
)
def test_money_is_put_in_as_the_rules_say(labels: tuple[str, ...], first: float, second: float) -> None:
    table = after(*labels)
    assert table.turn == OVER
    assert [chips / 1000 for chips in table.paid] == [first, second]


def test_a_fold_wins_what_the_other_had_put_in_whatever_the_hands() -> None:
    assert WET.payoffs(after("bet 33%", "raise to 1.155", "fold"), (Bucket.NUT, Bucket.AIR)) == (-0.83, 0.83)
    assert WET.payoffs(after("check", "bet 66%", "fold"), (Bucket.NUT, Bucket.AIR)) == (-0.5, 0.5)
    assert WET.payoffs(after("bet 100%", "fold"), (Bucket.AIR, Bucket.NUT)) == (0.5, -0.5)


def test_a_showdown_pays_equity_of_the_pot_less_what_was_put_in() -> None:
    share = exact(Texture.WET).equity[Bucket.NUT, Bucket.AIR]
    won, lost = WET.payoffs(after("check", "bet 66%", "call"), (Bucket.NUT, Bucket.AIR))
    assert won == pytest.approx(2.32 * share - 1.16, abs=1e-15)
    assert won == -lost
    assert WET.payoffs(after("check", "check"), (Bucket.AIR, Bucket.NUT))[0] == pytest.approx(0.5 - share, abs=1e-15)


def test_hands_are_dealt_by_the_joint_distribution() -> None:
    rng = np.random.default_rng(5)
    game = StreetGame(Texture.MONOTONE)
    dealt = np.zeros((9, 9))
    for _ in range(20_000):
        dealt[game.deal(rng)] += 1
    error = np.sqrt(game.joint() * (1 - game.joint()) / 20_000)
    assert (abs(dealt / 20_000 - game.joint()) < 5 * error + 1e-12).all()
    assert not game.possible((Bucket.PREMIUM, Bucket.PREMIUM)) or dealt[0, 0] < 20


def test_the_joint_is_no_product_and_the_priors_are_its_margins() -> None:
    game = StreetGame(Texture.LOW_DRY)
    product = np.outer(game.prior(0), game.prior(1))
    assert game.joint().sum() == pytest.approx(1)
    assert game.joint()[Bucket.PREMIUM, Bucket.PREMIUM] == 0 < product[0, 0]  # three tens make one top set
    assert abs(game.joint() - product).sum() > 0.005
    alone = street_game(independent(exact(Texture.LOW_DRY)))
    assert alone.joint()[0, 0] == 0  # nobody knows who wins, so it is not dealt
    assert alone.joint()[3, 4] / alone.joint()[5, 6] == pytest.approx(product[3, 4] / product[5, 6])


def test_exact_games_have_short_settings_and_others_carry_their_matrices() -> None:
    assert street_game(exact(Texture.WET)) == WET == make_street("wet")
    assert WET.settings == {"texture": "wet"}
    other = street_game(independent(exact(Texture.WET)))
    assert make_street(**json.loads(json.dumps(other.settings))) == other


def test_unseen_pairs_are_flagged_and_only_the_fallback_guesses() -> None:
    dry = exact(Texture.HIGH_DRY)
    assert dry.unseen == ((Bucket.PREMIUM, Bucket.PREMIUM),)
    assert with_ordinal_fallback(dry).equity[0, 0] == 0.5
    guessed = with_ordinal_fallback(exact(Texture.WET)).equity
    assert (guessed[0, 3], guessed[3, 0]) == (0.75, 0.25)
    assert not np.isnan(guessed).any()
    assert exact(Texture.WET).unseen == ()  # premium is not a bucket of wet flops at all


@pytest.mark.parametrize(
    ("settings", "error"),
    [({"texture": "damp"}, UnknownName), ({"texture": "wet", "joint": [[1.0]], "equity": [[0.5]]}, SettingError)],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error):
        make_street(**settings)


@pytest.mark.parametrize("texture", [Texture.WET, Texture.LOW_DRY])
def test_sampled_matrices_come_near_the_exact_ones(texture: Texture) -> None:
    found, known = sampled(texture, np.random.default_rng(1)), exact(texture)
    deals = 50_000 * {Texture.WET: 1584, Texture.LOW_DRY: 10680}[texture] / 22_100
    assert (abs(found.marginal - known.marginal) <= 5 * np.sqrt(known.marginal / deals)).all()
    assert found.met.sum() == 60_000  # six matchups a flop, each seen from both sides
    many = found.met > 300
    assert many.sum() > 30
    equity = found.equity[many]
    error = np.sqrt(equity * (1 - equity) / found.met[many])  # as though every matchup had its own board
    assert (abs(equity - known.equity[many]) < 6 * error).all()
    assert np.nansum(found.equity + found.equity.T) == pytest.approx((found.met > 0).sum())
    assert (found.joint == found.met / found.met.sum()).all()


def test_sampling_twice_with_one_seed_gives_one_result() -> None:
    one, other = (sampled(Texture.PAIRED, np.random.default_rng(3), deals=500, matchups=60) for _ in range(2))
    assert (one.met == other.met).all()
    assert one.unseen == other.unseen != ()
    assert (one.joint[np.isnan(one.equity)] == 0).all()


def test_sampled_marginals_can_be_taken_as_independent() -> None:
    found = sampled(Texture.PAIRED, np.random.default_rng(3), deals=5000, matchups=3000, marginals=True)
    weights = np.outer(found.marginal, found.marginal)
    assert found.joint[7, 8] / found.joint[4, 4] == pytest.approx(weights[7, 8] / weights[4, 4])
    street_game(found)


def test_nothing_comes_of_no_deals() -> None:
    with pytest.raises(SettingError, match="both must be at least 1"):
        sampled(Texture.WET, np.random.default_rng(1), deals=0)
