"""The gauntlet: one Perudo mind after another, each with full dice, the user with the dice left from the last duel.

The streak is in `gauntlet.json` in the data folder, each duel in its own session file beside it, so an interrupted run
can always be resumed. A run ends when the user has no dice left; the best streak is kept.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

from rich.console import Console

from tahur.cli.play.loop import play_session
from tahur.cli.play.perudo import PerudoScreen
from tahur.cli.play.session import Header, Session, sessions_folder
from tahur.core.cache import write_whole
from tahur.core.errors import RecordError
from tahur.core.limits import parse_json, read_file
from tahur.games.registry import make

FILE: Final = "gauntlet.json"
RUNGS: Final = (
    "timeout",
    "bluffer",
    "turtle",
    "trapper",
    "calculator",
    "chaos",
    "shark",
    "odds",
    "equilibrium",
)  # by results against all others, the weakest first: the crosstable of docs/perudo.md


@dataclass(frozen=True, slots=True)
class Climb:
    """The state of a run: opponents beaten now and at best, the user's dice, the rules, and the current duel."""

    streak: int = 0
    best: int = 0
    dice: int | None = None  # None: a full cup
    rules: str = "faroleo"
    duel: str | None = None

    @property
    def opponent(self) -> str:
        """The next opponent; after the last, the first again."""
        return RUNGS[self.streak % len(RUNGS)]


class GauntletScreen(PerudoScreen):
    """The Perudo screen with other words at the end."""

    def tell_tally(self, out: Console, session: Session) -> None:
        """Print only where the duel is saved; the streak is printed later."""
        if session.records:
            out.print(f"[dim]Saved in {session.path}[/]")

    def last_words(self, out: Console, session: Session) -> None:
        """No questions after a duel: `why` works during a round."""


def climb(out: Console, rules: str | None, seed: int | None, rounds: int | None) -> None:
    """Play until the user loses or quits, or for `rounds` rounds."""
    from tahur.cli.play.command import seat_players

    now = load(_file())
    if now.streak == 0 and now.duel is None:
        now = replace(now, rules=rules or now.rules)
    while rounds is None or rounds > 0:
        session = _duel(now, seed)
        before = len(session.records)
        now = _save(replace(now, duel=session.path.name))
        out.print(f"\n[bold]Opponent {now.streak + 1}: {now.opponent}[/]; you have {_dice(_yours(session))}")
        play_session(out, session, seat_players(session), GauntletScreen(), rounds)
        rounds = None if rounds is None else rounds - (len(session.records) - before)
        if not _is_over(session):
            break
        now = _save(after_duel(now, _yours(session)))
        if now.streak == 0:
            out.print(f"\n[bold]The run is over.[/] Your best streak is {now.best}.")
            return
        out.print(f"\n[bold green]You beat {RUNGS[(now.streak - 1) % len(RUNGS)]}.[/] Streak {now.streak}.")
    out.print(f"[dim]Streak {now.streak}, best {now.best}; resume with: tahur play perudo --gauntlet[/]")


def after_duel(now: Climb, dice: int) -> Climb:
    """The next state: one opponent further with the dice that are left, or back to the start without any."""
    if not dice:
        return replace(now, streak=0, dice=None, duel=None)
    streak = now.streak + 1
    return replace(now, streak=streak, best=max(now.best, streak), dice=dice, duel=None)


def load(file: Path) -> Climb:
    """The saved run, or a new one."""
    if not file.exists():
        return Climb()
    try:
        return Climb(**parse_json(read_file(file)))
    except (ValueError, TypeError):
        raise RecordError(f"{file} is not a gauntlet file; remove it to start again") from None


def _duel(now: Climb, seed: int | None) -> Session:
    """The current duel, or a new one."""
    from tahur.cli.perudo.values import solve_missing_rounds

    folder = sessions_folder() / "gauntlet"
    if now.duel is not None and (folder / now.duel).exists():
        return Session.load(folder / now.duel)
    full = make("perudo", {"rules": now.rules}).settings["cups"][0]
    game = make("perudo", {"rules": now.rules, "cups": [now.dice or full, full]})
    kinds = ("You", now.opponent)
    solve_missing_rounds(game, kinds)
    header = Header(
        game="perudo",
        settings=game.settings,
        names=kinds,
        you=0,
        seed=None if seed is None else seed + now.streak,
        kinds=kinds,
    )
    return Session.begin(folder, header)


def _yours(session: Session) -> int:
    """The user's number of dice."""
    if not session.records:
        return int(session.header.settings["cups"][session.header.you])
    last, you = session.records[-1], session.header.you
    return int(last.settings["cups"][you] + last.payoffs[you])


def _is_over(session: Session) -> bool:
    return session.game is None


def _save(now: Climb) -> Climb:
    file = _file()
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, json.dumps(asdict(now)).encode() + b"\n")
    return now


def _file() -> Path:
    return sessions_folder().parent / FILE


def _dice(count: int) -> str:
    return "1 die" if count == 1 else f"{count} dice"
