"""The systemd unit of the docs: systemd accepts it, and its own command line serves, keeps and stops as it says."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

from bots import call

from needs import need

UNIT = Path(__file__).parents[2] / "docs/tahur.service"
PROGRAM = "/opt/tahur/bin/tahur"
STOPPING = 10  # seconds that the server itself takes at the most


def settings(text: str, section: str) -> dict[str, str]:
    """The settings of one section of a unit file."""
    part = re.search(rf"^\[{section}\]\n(.*?)(?=^\[|\Z)", text, re.MULTILINE | re.DOTALL)
    assert part is not None
    lines = [line for line in part[1].splitlines() if line and not line.startswith("#")]
    pairs = [line.partition("=")[::2] for line in lines]
    assert len({name for name, _ in pairs}) == len(pairs), "a setting stands there twice"
    return dict(pairs)


def program(folder: Path) -> Path:
    """The command `tahur` of the sources under test."""
    made = folder / "tahur"
    made.write_text(f"#!{sys.executable}\nfrom tahur.cli.main import main\nmain()\n")
    made.chmod(0o755)
    return made


def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    need(analyze, "no systemd-analyze: apt-get install systemd")
    unit = tmp_path / UNIT.name
    unit.write_text(UNIT.read_text().replace(PROGRAM, str(program(tmp_path))))
    checked = subprocess.run([str(analyze), "verify", "--man=no", unit], capture_output=True, text=True)
    about_ours = [line for line in checked.stderr.splitlines() if UNIT.name in line]
    assert (checked.returncode, about_ours) == (0, [])
    unit.write_text(unit.read_text() + "ProtectSysten=strict\n")  # it does look
    checked = subprocess.run([str(analyze), "verify", "--man=no", unit], capture_output=True, text=True)
    assert "ProtectSysten" in checked.stderr


def test_the_command_of_the_unit_serves_in_its_folders_and_stops_by_its_signal(tmp_path: Path) -> None:
    service = settings(UNIT.read_text(), "Service")
    folders = {"%S": tmp_path / "lib", "%C": tmp_path / "cache"}
    for kind, home in (("State", "%S"), ("Cache", "%C")):
        mode = int(service[f"{kind}DirectoryMode"], 8)
        (folders[home] / service[f"{kind}Directory"]).mkdir(parents=True, mode=mode)

    def expanded(text: str) -> str:
        return text.replace("%S", str(folders["%S"])).replace("%C", str(folders["%C"]))

    environment = dict(pair.split("=", 1) for pair in shlex.split(expanded(service["Environment"])))
    environment |= {"TAHUR_PASSWORD": "four aces", "PATH": "/usr/bin:/bin"}
    environment |= {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONDONTWRITEBYTECODE": "1"}
    words = shlex.split(service["ExecStart"])
    assert words[0] == PROGRAM
    process = subprocess.Popen(
        [program(tmp_path), *words[1:], "--port", "0"],
        env=environment, cwd=expanded(service["WorkingDirectory"]), umask=int(service["UMask"], 8),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    found = re.search(r"http://localhost:(\d+)", next(line for line in process.stdout if "open at" in line))
    assert found is not None
    address, host = f"http://127.0.0.1:{found[1]}", {"Host": words[words.index("--name") + 1]}
    body = {"name": "Ana", "minds": ["caller"], "password": "four aces"}
    assert call(address, "/api/rooms", body | {"password": ""}, **host)[0] == 401
    status, opened = call(address, "/api/rooms", body, **host)
    assert status == 200
    began = time.monotonic()
    process.send_signal(getattr(signal, service["KillSignal"]))
    errors = process.communicate(timeout=60)[1]
    assert time.monotonic() - began < STOPPING < int(service["TimeoutStopSec"])
    assert process.returncode == 0, errors
    assert f"room={opened['room']}" in errors
    rooms = folders["%S"] / "tahur" / "rooms"
    assert {stat.S_IMODE(path.stat().st_mode) for path in (rooms, rooms.parent)} == {0o700}
    assert stat.S_IMODE((rooms / "rooms.db").stat().st_mode) == 0o600
    kept = {path.name for path in tmp_path.rglob("*") if path.is_file()}
    assert kept == {"tahur", "rooms.db"}, "it wrote elsewhere"
