"""`python -m tahur.web`: the card room's server; `tahur serve` starts it."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from tahur.core.errors import SettingError, TahurError
from tahur.core.lock import PathLock

NO_PAGE = """\
The page is missing: it is built when tahur is installed, and npm could not be reached then. With a connection, run
`make page` in a clone of tahur, or `pip install --force-reinstall --no-deps .` there. The server runs meanwhile.
"""
_HELD: list[PathLock] = []  # the lock of the data folder, as long as the server runs
DESCRIPTION = "The card room in the browser: hold'em and Perudo, with people and with minds."


class Stopped(BaseException):
    """The server was told to stop by SIGTERM."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the server until it is stopped."""
    options = _parser().parse_args(arguments)
    try:
        serve(options)
    except TahurError as error:
        sys.stderr.write(f"tahur: {error}\n")
        raise SystemExit(2) from None
    except (KeyboardInterrupt, Stopped):
        sys.stderr.write("\nThe card room is closed; everything is kept.\n")
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(0)  # the store is closed; a bot that still thinks in its thread is not waited for


def serve(options: argparse.Namespace) -> None:
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
    from tahur.web.models import language_of
    from tahur.web.server import run

    logs.set_up(options.log_level, options.log_format)
    language = language_of(options.llm, options.model, options.llm_set, data_folder().parent / "llm")
    store = Store(database)
    gallery = Gallery(options.mind, language)
    for mind in options.mind:
        if not any(each.mind == mind for each in gallery.minds):
            raise SettingError(f"--mind {mind}: no such player, or it plays none of the room's games")
    port = listening.getsockname()[1]
    address = outside_address(options.host, port, options.name, https=options.https)
    app = make_app(store, guard, gallery, secure=options.https, address=address)
    if not (BUILT / "index.html").is_file():
        sys.stderr.write(NO_PAGE)
    signal.signal(signal.SIGTERM, _stop)  # uvicorn raises the signal again when it has shut down
    try:
        run(app, options.host, listening, open_browser=options.open, trusted=options.trusted_proxy)
    finally:
        store.close()
        for held in _HELD:
            held.release()


def _stop(number: int, frame: object) -> None:
    raise Stopped


def _warn_wide(host: str, password: str) -> None:
    if not password:
        raise SettingError(
            f"--host {host} lets every machine that can reach this one in; give a password that guests must know: "
            "--password WORDS, or the variable TAHUR_PASSWORD"
        )
    sys.stderr.write(
        f"Listening at {host}: every machine that can reach this one can now open the card room.\n"
        "Guests need the password. Cards and passwords travel unencrypted: use it in a network you trust, or put a\n"
        "server with HTTPS in front and add --https. Whoever runs this server can see every card.\n"
    )


def data_folder() -> Path:
    """Where rooms are kept: the user's data folder, or TAHUR_DATA."""
    if home := os.environ.get("TAHUR_DATA"):
        return Path(home) / "rooms"
    data = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(data) / "tahur" / "rooms"


def _database(folder: Path) -> str:
    """The database in a folder that only its owner reads and no other server uses."""
    from tahur.core.lock import lock
    from tahur.room.backup import private_file
    from tahur.room.store import sqlite_url

    file = private_file(folder / "rooms.db")
    _HELD.append(lock(folder))
    return sqlite_url(str(file))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="tahur serve", description=DESCRIPTION)
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen at; this machine alone unless given")
    parser.add_argument("--port", type=int, default=8723, help="0: any free one (8723)")
    parser.add_argument("--data", help="the folder to keep rooms in")
    parser.add_argument("--database", help="keep rooms in this database instead, such as postgresql://...")
    parser.add_argument("--password", help="what guests must know; needed with --host")
    parser.add_argument("--name", action="append", default=[], help="a host name that the server goes by; any if none")
    parser.add_argument("--mind", action="append", default=[], help="a player of your own to be seated: pkg.mod:Class")
    parser.add_argument("--llm", metavar="URL", help="an OpenAI-compatible endpoint for rooms with a language model")
    parser.add_argument("--model", metavar="NAME", help="the model, as the endpoint calls it")
    parser.add_argument("--llm-set", metavar="NAME=VALUE", action="append", default=[], help="how it is asked")
    parser.add_argument(
        "--trusted-proxy", action="append", default=[], metavar="ADDRESS",
        help="believe X-Forwarded-For and Forwarded of this address; may be repeated",
    )  # fmt: skip
    parser.add_argument("--log-level", default="warning", choices=("debug", "info", "warning", "error"),
                        help="the least that is logged (warning)")  # fmt: skip
    parser.add_argument("--log-format", default="text", choices=("text", "json"), help="of a line in the log (text)")
    parser.add_argument("--https", action="store_true", help="a server in front of this one speaks HTTPS")
    parser.add_argument("--open", action="store_true", help="open the browser")
    parser.add_argument("--unlimited", action="store_true", help="no limits on how often one may ask; for tests")
    return parser


if __name__ == "__main__":
    main()
