"""What a test needs from the machine: a browser, a database, a built page.

Call `need(condition, reason)` in a fixture or at the start of a test. Where the condition does not hold, the test is
skipped with the reason; with CI=true in the environment it fails instead, so that CI cannot pass without trying it.

    need(shutil.which("chromium"), "no chromium: apt-get install chromium")
"""

from __future__ import annotations

import os

import pytest


def need(condition: object, reason: str) -> None:
    """Go on if the condition holds; else skip the test, or fail it where CI=true."""
    if condition:
        return
    if os.environ.get("CI", "").strip().lower() == "true":
        pytest.fail(f"CI=true: this test may not be skipped: {reason}", pytrace=False)
    pytest.skip(reason)
