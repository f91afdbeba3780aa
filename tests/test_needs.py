"""What the machine lacks skips a test at home and fails it in CI."""

from __future__ import annotations

import pytest

from needs import need


def test_what_is_there_is_needed_without_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    need(True, "never said")


def test_what_is_missing_skips_the_test_at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="no chromium"):
        need(None, "no chromium")


def test_what_is_missing_fails_the_test_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="no chromium"):
        need(None, "no chromium")
