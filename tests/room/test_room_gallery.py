"""Who can be seated in a room: every name for Perudo, each with the style of its personality."""

from __future__ import annotations

from tahur.games.registry import make
from tahur.players.perudo.personalities import FIGURES, NAMES, known_names
from tahur.room.gallery import Gallery


def test_every_name_for_perudo_is_in_the_gallery_and_plays_as_its_personality() -> None:
    gallery = Gallery()
    minds = {mind.name: mind for mind in gallery.minds}
    names = [(name, personality) for personality, names in NAMES.items() for name in names]
    assert len(names) == 25
    for name, personality in names:
        mind = minds[name]
        assert mind.games == ("perudo",)
        assert {figure.name: figure.value for figure in mind.figures} == {
            each: getattr(personality, each) for each in FIGURES
        }
        assert gallery.name_of(mind.mind, "perudo") == name
        player = gallery.make(mind.mind, make("perudo"))
        assert player.personality == personality  # type: ignore[attr-defined]


def test_the_gallery_has_all_that_the_terminal_seats() -> None:
    seated = {mind.mind.removeprefix("persona:").casefold() for mind in Gallery().minds}
    assert {name.casefold() for name in known_names()} <= seated
