"""Commands are imported when they are asked for, and every line of the list leads to one."""

from __future__ import annotations

import subprocess
import sys

import pytest
from invoked import run_of

from tahur.cli.lazily import LazyCommand
from tahur.cli.main import COMMANDS, app

NO_COMMANDS = """
import sys
from tahur.cli.main import COMMANDS, main
sys.argv = ["tahur", "--help"]
try:
    main()
except SystemExit:
    pass
modules = {"tahur.cli." + entry.where.partition(":")[0] for entry in COMMANDS}
sys.exit(", ".join(sorted(modules & set(sys.modules))))
"""


@pytest.mark.parametrize("entry", COMMANDS, ids=lambda entry: entry.name)
def test_every_command_of_the_list_is_there_and_has_help(entry: LazyCommand) -> None:
    assert f" {entry.name} [OPTIONS]" in run_of(app, entry.name, "--help")


def test_asking_for_help_imports_no_command() -> None:
    run = subprocess.run([sys.executable, "-c", NO_COMMANDS], capture_output=True, text=True, check=False)
    assert run.stderr.strip() == ""
    assert "tournament" in run.stdout
