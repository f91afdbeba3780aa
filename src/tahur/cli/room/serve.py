"""`tahur room serve`: the card room in the browser. Runs `python -m tahur.web`: `cli` does not import `web`."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Annotated, Literal

import typer

from tahur.cli.commands import with_option_groups
from tahur.cli.llm.options import LOCAL, ModelOptions, llm_options
from tahur.core.errors import SettingError
from tahur.players.bounded.settings import LlmOptions, settings_words


@with_option_groups
def serve(
    host: Annotated[str, typer.Option(help="Address to listen on; by default only this machine.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port; 0 for any free one.", min=0, max=65535)] = 8723,
    data: Annotated[str | None, typer.Option(help="Folder for the rooms.")] = None,
    database: Annotated[
        str | None, typer.Option(help="Database for the rooms, instead of a folder: postgresql://USER@HOST/NAME.")
    ] = None,
    password: Annotated[
        str | None, typer.Option(help="Password of guests; required with --host. Or set TAHUR_PASSWORD.")
    ] = None,
    name: Annotated[
        list[str] | None, typer.Option(help="A host name of the server; with --host, any by default.")
    ] = None,
    mind: Annotated[
        list[str] | None, typer.Option(help="Your own bot that can be seated: pkg.mod:Class, strategy:FILE.")
    ] = None,
    *,
    models: ModelOptions,
    https: Annotated[bool, typer.Option("--https", help="A reverse proxy in front speaks HTTPS.")] = False,
    trusted_proxy: Annotated[
        list[str] | None,
        typer.Option(metavar="ADDRESS", help="Trust X-Forwarded-For and Forwarded of the proxy at this address."),
    ] = None,
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"], typer.Option(help="Minimum level of messages logged on stderr.")
    ] = "warning",
    log_format: Annotated[
        Literal["text", "json"], typer.Option(help="Log lines as text, or as one JSON object each.")
    ] = "text",
    open_browser: Annotated[bool, typer.Option("--open", help="Open the browser.")] = False,
) -> None:
    """Open the card room in the browser: hold'em and Perudo, with people and with bots.

    tahur room serve --open                                    on this machine, for yourself
    tahur room serve --host 0.0.0.0 --password "four aces"     for a network you trust
    tahur room serve --llm local                               rooms may use a language model for their personas
    """
    from tahur.cli.output import warm

    warm()
    words = [sys.executable, "-m", "tahur.web", "--host", host, "--port", str(port)]
    words += _option_words("--data", data) + _option_words("--database", database)
    if password is not None:
        os.environ["TAHUR_PASSWORD"] = password  # not an argument: all users of a machine can list those
    for value in name or []:
        words += ["--name", value]
    for value in mind or []:
        words += ["--mind", value]
    model_options = llm_options(models)
    words += _model_words(model_options) if model_options is not None else []
    for value in trusted_proxy or []:
        words += ["--trusted-proxy", value]
    words += ["--log-level", log_level, "--log-format", log_format]
    words += ["--https"] * https + ["--open"] * open_browser
    if os.name == "posix" and models.llm != LOCAL:
        sys.stdout.flush()
        os.execv(sys.executable, words)
    raise typer.Exit(_run_server(words))


def _run_server(words: list[str]) -> int:
    """Run the server as a child process: a local model started for it ends with this command."""
    with subprocess.Popen(words) as server:
        while True:
            try:
                return server.wait()
            except KeyboardInterrupt:  # the server got the signal too, and shuts down
                continue


def _model_words(asked: LlmOptions) -> list[str]:
    """The arguments for the model; its key stays in the environment."""
    if asked.url is None:
        raise SettingError("--model and --llm-set need --llm URL, or --llm local")
    words = ["--llm", asked.url, *_option_words("--model", asked.model)]
    for pair in settings_words(asked):
        words += ["--llm-set", pair]
    return words


def _option_words(option: str, value: str | None) -> list[str]:
    return [] if value is None else [option, value]
