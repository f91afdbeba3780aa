"""`python -m pytest tests/golden --regenerate` writes the playthroughs anew; then review the difference."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--regenerate", action="store_true", help="write the golden playthroughs instead of comparing")


@pytest.fixture
def regenerate(request: pytest.FixtureRequest) -> bool:
    """False when these tests run among all the others, where the option is not known."""
    return bool(request.config.getoption("--regenerate", default=False))
