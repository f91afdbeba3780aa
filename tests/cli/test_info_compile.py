"""`tahur info compile`: kernels are compiled before anybody waits for them."""

from __future__ import annotations

from pathlib import Path

from command import tahur

ROOT = Path(__file__).parents[2]


def test_compiled_groups_are_named_and_not_compiled_again() -> None:
    for name in ("card", "solver"):
        assert tahur("info", "compile", name).returncode == 0
    again = tahur("info", "compile", "card", "solver")
    assert again.stdout == "compiled: card, solver\n"
    assert again.stderr == ""


def test_an_unknown_group_is_refused_with_the_valid_ones() -> None:
    run = tahur("info", "compile", "poker")
    assert run.returncode == 2
    assert "no kernels are called 'poker'; valid: card, batch, solver" in run.stderr


def test_setting_up_compiles() -> None:
    assert "$(BIN)/tahur info compile" in (ROOT / "Makefile").read_text("utf-8")
