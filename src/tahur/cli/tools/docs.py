"""`tahur info docs`: the documentation in the browser, served from this machine."""

from __future__ import annotations

import webbrowser
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Annotated, Any

import typer

from tahur.core.errors import SettingError

PACKAGE = Path(__file__).parents[2]
BUNDLED = PACKAGE / "site"  # in a wheel
BUILT = PACKAGE.parents[1] / "site"  # in a clone, by `make docs`


def docs(
    port: Annotated[int, typer.Option(help="The port to listen on; 0 takes any free one.", min=0, max=65535)] = 0,
    open_browser: Annotated[bool, typer.Option("--open/--no-open", help="Open the browser.")] = True,
) -> None:
    """Open the documentation in the browser. It is served from this machine and needs no network.

    tahur info docs      tahur info docs --port 8000 --no-open
    """
    with ThreadingHTTPServer(("127.0.0.1", port), partial(_Quiet, directory=str(site_folder()))) as server:
        address = f"http://localhost:{server.server_port}/"
        typer.echo(f"The documentation is at {address}  (Ctrl-C ends it)")
        if open_browser:
            webbrowser.open(address)
        server.serve_forever()


def site_folder() -> Path:
    """The built documentation."""
    for folder in (BUNDLED, BUILT):
        if (folder / "index.html").is_file():
            return folder
    raise SettingError(
        "the documentation is not built in this installation; in a clone, run: make docs (its sources are in docs/)"
    )


class _Quiet(SimpleHTTPRequestHandler):
    """Serves files without a line for each request."""

    def log_message(self, format: str, *args: Any) -> None:
        pass
