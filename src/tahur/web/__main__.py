"""`python -m tahur.web`: the card room's server; `tahur room serve` starts it."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tahur.core.errors import SettingError, TahurError
from tahur.core.lock import PathLock, lock

if TYPE_CHECKING:
    from tahur.players.bounded.asking import ModelChooser
    from tahur.players.bounded.settings import LlmOptions
    from tahur.room.gallery import Language
    from tahur.study.library import Library

NO_PAGE = """\
The page is missing: it is built when tahur is installed, and npm could not be reached then. With a connection, run
`make page` in a clone of tahur, or `pip install --force-reinstall --no-deps .` there. The server runs meanwhile.
"""
_HELD: list[PathLock] = []  # the lock of the data folder, held while the server runs
DESCRIPTION = "The card room in the browser: hold'em and Perudo, with people and with bots."


class Stopped(BaseException):
    """SIGTERM asked the server to stop."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the server until it is stopped."""
    options = _parser().parse_args(arguments)
    try:
        serve(options)
    except TahurError as error:
        sys.stderr.write(f"tahur: {error}\n")
        raise SystemExit(2) from None
    except (KeyboardInterrupt, Stopped):
        sys.stderr.write("\nThe card room is closed; everything is saved.\n")
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(0)  # the store is closed; do not wait for bots that still think in their threads


def serve(options: argparse.Namespace) -> None:
    """Check the options, open the port and the database, and run the server until it is stopped."""
    from tahur.web.guard import LOOPBACK, Guard, is_loopback
    from tahur.web.listening import listen, outside_address

    password = options.password or os.environ.get("TAHUR_PASSWORD", "")
    local = is_loopback(options.host)
    if not local:
        _warn_wide(options.host, password)
    guard = Guard(password, (*LOOPBACK, *options.name) if local else tuple(options.name), limited=not options.unlimited)
    listening = listen(options.host, options.port)
    database = options.database or _database(Path(options.data) if options.data else data_folder())

    from tahur.room.gallery import Gallery
    from tahur.room.store import Store
    from tahur.web import logs
    from tahur.web.app import BUILT, make_app
    from tahur.web.server import run

    logs.set_up(options.log_level, options.log_format)
    language = language_of(options.llm, options.model, options.llm_set, data_folder().parent / "llm")
    store = Store(database)
    gallery = Gallery(options.mind, language, time.monotonic)
    for mind in options.mind:
        if not any(bot.mind == mind for bot in gallery.minds):
            raise SettingError(f"--mind {mind}: no such player, or it plays none of the room's games")
    port = listening.getsockname()[1]
    address = outside_address(options.host, port, options.name, https=options.https)
    library = _library(Path(options.data) / "study" if options.data else data_folder().parent / "study")
    app = make_app(store, guard, gallery, secure=options.https, address=address, library=library)
    if not (BUILT / "index.html").is_file():
        sys.stderr.write(NO_PAGE)
    signal.signal(signal.SIGTERM, _stop)  # uvicorn raises the signal again after shutting down
    try:
        run(app, options.host, listening, open_browser=options.open, trusted=options.trusted_proxy)
    finally:
        store.close()
        for held in _HELD:
            held.release()


def _stop(number: int, frame: object) -> None:
    raise Stopped


def _warn_wide(host: str, password: str) -> None:
    """Require a password for a server that other machines can reach, and print what that means."""
    if not password:
        raise SettingError(
            f"--host {host} admits every machine that can reach this one; set a password for guests: "
            "--password WORDS, or the environment variable TAHUR_PASSWORD"
        )
    sys.stderr.write(
        f"Listening at {host}: every machine that can reach this one can now open the card room.\n"
        "Guests need the password. Cards and passwords travel unencrypted: use it in a network you trust, or put a\n"
        "server with HTTPS in front and add --https. The operator of this server can see every card.\n"
    )


def data_folder() -> Path:
    """The default folder of the rooms: the user's data folder, or TAHUR_DATA."""
    if home := os.environ.get("TAHUR_DATA"):
        return Path(home) / "rooms"
    data = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(data) / "tahur" / "rooms"


def _database(folder: Path) -> str:
    """The database in a folder that is private to its owner and locked for this server."""
    from tahur.room.backup import private_file
    from tahur.room.store import sqlite_url

    file = private_file(folder / "rooms.db")
    _HELD.append(lock(folder))
    return sqlite_url(str(file))


def _library(folder: Path) -> Library | None:
    """The library of solved spots; None, with a line on stderr, if its folder cannot be written."""
    from tahur.study.library import Library

    try:
        return Library(folder)
    except OSError as error:
        sys.stderr.write(f"Study is not available: {folder} cannot be written ({error.strerror or error}).\n")
        return None


def _parser() -> argparse.ArgumentParser:
    """The options of `tahur room serve`."""
    parser = argparse.ArgumentParser(prog="tahur room serve", description=DESCRIPTION)
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on; by default only this machine")
    parser.add_argument("--port", type=int, default=8723, help="port; 0 for any free one (8723)")
    parser.add_argument("--data", help="folder for the rooms")
    parser.add_argument("--database", help="database for the rooms instead of a folder, such as postgresql://...")
    parser.add_argument("--password", help="password of guests; required with --host")
    parser.add_argument("--name", action="append", default=[], help="a host name of the server; any by default")
    parser.add_argument("--mind", action="append", default=[], help="your own bot that can be seated: pkg.mod:Class")
    parser.add_argument("--llm", metavar="URL", help="an OpenAI-compatible endpoint for rooms with a language model")
    parser.add_argument("--model", metavar="NAME", help="the model's name at the endpoint")
    parser.add_argument("--llm-set", metavar="NAME=VALUE", action="append", default=[], help="request settings")
    parser.add_argument(
        "--trusted-proxy", action="append", default=[], metavar="ADDRESS",
        help="trust X-Forwarded-For and Forwarded of this address; can be repeated",
    )  # fmt: skip
    parser.add_argument("--log-level", default="warning", choices=("debug", "info", "warning", "error"),
                        help="minimum level of log messages (warning)")  # fmt: skip
    parser.add_argument("--log-format", default="text", choices=("text", "json"), help="format of log lines (text)")
    parser.add_argument("--https", action="store_true", help="a reverse proxy in front of this server terminates HTTPS")
    parser.add_argument("--open", action="store_true", help="open the browser")
    parser.add_argument("--unlimited", action="store_true", help="disable rate limits; for tests")
    return parser


LONGEST: Final = 60.0  # seconds for one decision: people sit at this table


def language_of(url: str | None, model: str | None, settings: Sequence[str], folder: Path) -> Language | None:
    """The model at this endpoint; None if none is configured. `folder` is for the log of requests."""
    if not url:
        return None
    from tahur.players.bounded.settings import LlmOptions, with_settings
    from tahur.room.gallery import Language

    options = with_settings(LlmOptions(url, model), settings)
    log = options.log or folder / f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.jsonl"
    options = replace(options, log=log, seconds=min(options.seconds, LONGEST))
    _chooser(options, folder)  # a missing name or client is an error now, not later at a table
    return Language(model or "", lambda text: _chooser(options, folder))


def _chooser(options: LlmOptions, folder: Path) -> ModelChooser:
    """The chooser. Players cannot select another model or endpoint than the operator's."""
    from tahur.players.bounded.caps import LogFile, SharedLedger
    from tahur.players.bounded.settings import Tools, model_chooser

    assert options.log is not None
    log = LogFile(options.log, lambda: time.strftime("%Y-%m-%dT%H:%M:%S"))
    ledger = SharedLedger(folder, lambda: time.strftime("%Y-%m-%d"))
    return model_chooser(options, "", Tools(time.monotonic, log.add, ledger, os.environ))


if __name__ == "__main__":
    main()
