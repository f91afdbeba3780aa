"""For the browser tests: one server and one browser for each module; every test starts with nobody in the house."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from cardroom import Server, browsing, need_page, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    need_page()
    with serving(tmp_path_factory.mktemp("rooms")) as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    need_page()
    with browsing() as found:
        yield found


@pytest.fixture
def everybody_leaves(browser: Any) -> Iterator[None]:
    yield
    for context in browser.contexts:
        context.close()
