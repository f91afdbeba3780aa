"""`tahur perudo`: the odds of every bid, advice for a table, and what minds remember of a session."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from tahur.cli.commands import command_group
from tahur.cli.output import Json, console, print_json
from tahur.cli.perudo.cost import cost
from tahur.cli.perudo.solved import SolvedAdvice, solved_here
from tahur.cli.perudo.values import prepare, values
from tahur.cli.settings import Rules
from tahur.core.errors import IllegalAction, RecordError, UnknownName

if TYPE_CHECKING:
    from rich.console import Console

    from tahur.core.player import View
    from tahur.core.record import Record
    from tahur.players.perudo.expectation import Prospect
    from tahur.players.perudo.memory import Memory
    from tahur.show.perudo import BidRow


perudo = command_group("Perudo tools: odds of bids, advice, solved rounds, and what minds remember.")

perudo.command("values", short_help="The chance to win a match from every position of two seats.")(values)
perudo.command("prepare", short_help="Solve and store the rounds that the player 'equilibrium' needs.")(prepare)
perudo.command("cost", short_help="What a mind's character costs against solved rounds.")(cost)

Mine = Annotated[str | None, typer.Option(help="The faces of your dice: 1,3,3,5,6.")]
Palifico = Annotated[bool, typer.Option("--palifico", help="A palifico round: aces are not wild.")]

SHOWN = 12  # actions shown, of up to a hundred
NEGLIGIBLE = 0.005


@perudo.command("odds", short_help="How likely each bid is true, and exactly true.")
def odds(
    others: Annotated[int, typer.Option(help="Total number of dice of the other players.", min=0, max=80)],
    dice: Annotated[int | None, typer.Option(help="Number of your dice; by default as many as in --mine.")] = None,
    mine: Mine = None,
    palifico: Palifico = False,
    as_json: Json = False,
) -> None:
    """For every bid, the probability that it is true and, after it, that it is exactly true, given your own dice.

    tahur perudo odds --dice 5 --others 10 --mine 1,3,3,5,6      tahur perudo odds --others 15
    """

    held = read_dice(mine) if mine else ()
    if dice is not None and len(held) > dice:
        raise IllegalAction(f"--mine {mine} has {len(held)} dice, but --dice is {dice}")
    unknown = others + (0 if dice is None else dice - len(held))  # the user's own dice that are not stated
    if not len(held) + unknown:
        raise IllegalAction("there are no dice; give the others' number of dice with --others")
    if as_json:
        bids = [_bid_json(count, face, held, unknown, not palifico) for count, face in _all_bids(len(held) + unknown)]
        print_json({"mine": held, "unknown": unknown, "palifico": palifico, "bids": bids})
        return
    print_odds(console(), held, unknown, wild=not palifico)


@perudo.command("advise", short_help="Rank the legal actions at a table.")
def advise(
    mine: Annotated[str, typer.Option(help="The faces of your dice: 1,3,3,5,6.")],
    others: Annotated[
        str, typer.Option(help="Number of dice of each other seat, starting with the one after you: 5,3,2.")
    ],
    bid: Annotated[str | None, typer.Option(help="The standing bid, such as 4x5; omit it if you open.")] = None,
    history: Annotated[
        str | None, typer.Option(help="All bids of the round, the standing one last: 2x3,3x3,4x5.")
    ] = None,
    palifico: Palifico = False,
    rules: Rules = None,
    minds: Annotated[
        bool, typer.Option("--minds", help="Also show what each of the six minds would do, and why.")
    ] = False,
    every: Annotated[bool, typer.Option("--all", help=f"Show every legal action instead of the best {SHOWN}.")] = False,
    as_json: Json = False,
) -> None:
    """Your legal actions with exact odds, and the expected change in your dice if you are called at once.

    tahur perudo advise --mine 1,3,3,5,6 --others 5,5 --bid 4x5      add --history 2x3,3x5,4x5 for all bids
    """
    from rich.markup import escape

    from tahur.games.perudo.bids import FIRST_BID, action_text
    from tahur.players.perudo.expectation import best, prospects

    view = _view(mine, others, bid, history, palifico=palifico, rules=rules)
    options = sorted(prospects(view), key=lambda prospect: -prospect.dice)
    choice, solved = best(view), solved_here(view)
    if solved is not None:
        options = sorted(
            options, key=lambda prospect: -solved.frequencies.get(prospect.action, 0.0)
        )  # sorted by the expected result one step ahead
        choice = options[0]
    if as_json:
        actions = [_prospect_json(prospect, solved) for prospect in options]
        payload = {"minds": dict(_thoughts_of_minds(view))} if minds else {}
        print_json({"mine": mine, "best": action_text(choice.action), "actions": actions} | payload)
        return
    shown = [
        prospect for place, prospect in enumerate(options) if every or place < SHOWN or prospect.action < FIRST_BID
    ]
    _print_advice(view, shown, choice, solved)
    if len(options) > len(shown):
        console().print(f"[dim]and {len(options) - len(shown)} worse bids; --all lists them[/]")
    for _, line in _thoughts_of_minds(view) if minds else ():
        console().print(f"  {line['says']:<10} {escape(line['thought'])}")


@perudo.command("memory", short_help="Show what the minds of a session remember about each player.")
def memory(
    session: Annotated[
        str | None,
        typer.Argument(help="A session of tahur play, or records of a match (.jsonl); the newest by default."),
    ] = None,
    as_json: Json = False,
) -> None:
    """What is public about each player: bids, calls and, because all cups are lifted at the end, bluffs.

    tahur perudo memory      tahur perudo memory perudo-20260101-120000.jsonl
    """
    from rich.markup import escape

    from tahur.show.perudo import figures_table

    path = _session_path(session)
    records = _rounds(path)
    memory = _spectator_memory(records)
    figures = {name: opponent.figures() for name, opponent in memory.opponents.items()}
    if as_json:
        faces = {
            name: {"faces": opponent.faces[1:], "openings": opponent.openings[1:]}
            for name, opponent in memory.opponents.items()
        }
        payload = {name: figures[name] | faces[name] for name in figures}
        print_json({"session": str(path), "rounds": len(records), "memory": payload})
        return
    out = console()
    out.print(f"[bold]{escape(path.name)}[/]: {len(records)} round{'' if len(records) == 1 else 's'}")
    out.print(figures_table(figures))
    out.print(
        "[dim]bluff rate: share of final bids without support, with a prior of one half; --json includes the faces[/]"
    )


# ---- odds ----------------------------------------------------------------------------------------


def _all_bids(total: int) -> list[tuple[int, int]]:
    return [(count, face) for count in range(1, total + 1) for face in range(1, 7)]


def _chances(count: int, face: int, held: tuple[int, ...], unknown: int, wild: bool) -> tuple[float, float]:
    """The probabilities that a bid is met, and that it is met exactly."""

    from tahur.games.perudo.bids import chance_of, matching
    from tahur.players.perudo.odds import at_least, exactly

    needed, chance = count - matching(held, face, wild=wild), chance_of(face, wild=wild)
    return at_least(needed, unknown, chance), exactly(needed, unknown, chance)


def _bid_json(count: int, face: int, held: tuple[int, ...], unknown: int, wild: bool) -> dict[str, Any]:
    true, exact = _chances(count, face, held, unknown, wild)
    return {"count": count, "face": face, "true": true, "exact": exact}


def print_odds(out: Console, held: tuple[int, ...], unknown: int, *, wild: bool) -> None:
    """Print the ladder of bids and its legend."""
    from tahur.show.perudo import ladder_table

    total = len(held) + unknown
    mine = f"you hold {' '.join(map(str, held))}; " if held else ""
    out.print(f"{mine}{unknown} unknown dice, {total} in all" + ("" if wild else "; palifico: aces are not wild"))
    rungs = [rung_of(count, held, unknown, wild) for count in range(1, total + 1)]
    while not _is_worth(rungs[-1]):
        del rungs[-1]
    out.print(ladder_table(rungs, wild=wild))
    out.print("[dim]true, then exactly true; bids not listed are true less than once in 200 times[/]")


def rung_of(count: int, held: tuple[int, ...], unknown: int, wild: bool) -> BidRow:
    """One row of the ladder; after every even count come the bids of half as many aces."""
    from tahur.show.perudo import BidRow

    faces = tuple(_chances(count, face, held, unknown, wild) for face in range(2 if wild else 1, 7))
    if not wild or count % 2:
        return BidRow(count, faces)
    return BidRow(count, faces, count // 2, _chances(count // 2, 1, held, unknown, wild))


def _is_worth(rung: BidRow) -> bool:
    return max(true for true, _ in (*rung.faces, rung.aces_chances)) >= NEGLIGIBLE


# ---- advice --------------------------------------------------------------------------------------


def _view(
    mine: str, others: str, standing: str | None, history: str | None, *, palifico: bool, rules: str | None
) -> View:
    """The described table; you are seat 0, and the seat before you made the last bid."""
    from tahur.core.player import View
    from tahur.games.perudo.bids import bid as bid_of
    from tahur.games.perudo.game import perudo as make
    from tahur.games.perudo.table import hand_of

    held, cups = read_dice(mine), read_cups(others)
    bids = read_bids(history or standing or "")
    if history and standing and read_bids(standing)[-1:] != bids[-1:]:
        raise IllegalAction(f"--bid {standing} is not the last of --history {history}")
    seats = 1 + len(cups)
    settings: dict[str, Any] = {"rules": rules} if rules else {}
    game = make(cups=[len(held), *cups], opener=-len(bids) % seats, palifico_round=palifico, **settings)
    table = game.start()
    for count, face in bids:
        table = table.after(bid_of(count, face))
    return View(game, table, 0, hand_of(held))


def _print_advice(view: View, options: list[Prospect], choice: Prospect, solved: SolvedAdvice | None) -> None:
    """Print all actions with their odds and, if the round is solved, frequencies; the choice is marked."""
    from tahur.games.perudo.bids import action_text, count_of
    from tahur.show.perudo import Advice, advice_table

    out = console()
    standing = view.table.standing
    stands = "stands" if standing is not None and count_of(standing) == 1 else "stand"
    bid = f"{action_text(standing)} {stands}" if standing is not None else "you open"
    out.print(f"{view.table.round.total} dice are in play; {bid}" + ("" if view.table.wild else "; palifico"))
    rows = [
        Advice(
            action=action_text(prospect.action),
            true=prospect.true,
            exact=prospect.exact,
            dice=prospect.dice,
            solved=None if solved is None else solved.frequencies.get(prospect.action, 0.0),
            worth=None if solved is None else solved.worth.get(prospect.action),
        )
        for prospect in options
    ]
    out.print(advice_table(rows, best=action_text(choice.action)))
    out.print("[dim]true, exact: of the bid made or called; dice: your own to expect if the next seat calls dudo[/]")
    if solved is not None:
        known = "; worth: dice of lead against the solved strategy" if solved.worth else ""
        known += "; the solved strategy never makes that bid" if solved.never else ""
        out.print(f"[dim]solved: frequency in the solved round (NashConv {solved.nashconv:.1g}){known}[/]")


def _thoughts_of_minds(view: View) -> Iterator[tuple[str, dict[str, str]]]:
    """What each of the six minds would do here without memory, all with the same random numbers."""
    import numpy as np

    from tahur.games.perudo.bids import action_text
    from tahur.players.perudo.personalities import SIX
    from tahur.players.perudo.player import PerudoMind

    for personality in SIX:
        decision = PerudoMind(personality).act(view, np.random.default_rng(1))
        yield personality.name.lower(), {"says": action_text(decision.action), "thought": decision.thought}


def _solved_figures(prospect: Prospect, solved: SolvedAdvice | None) -> tuple[float | None, float | None]:
    if solved is None:
        return None, None
    return solved.frequencies.get(prospect.action, 0.0), solved.worth.get(prospect.action)


def _prospect_json(prospect: Prospect, solved: SolvedAdvice | None) -> dict[str, Any]:
    """One possible action for `--json`."""
    from tahur.games.perudo.bids import action_text

    payload = {
        "action": action_text(prospect.action),
        "true": prospect.true,
        "exact": prospect.exact,
        "dice": prospect.dice,
    }
    frequency, worth = _solved_figures(prospect, solved)
    return payload | {"solved": frequency, "worth": worth}


# ---- memory --------------------------------------------------------------------------------------


def _session_path(name: str | None) -> Path:
    """An existing file, a session by its name, or the newest session."""
    from tahur.cli.play.session import SUFFIX, latest, sessions_folder

    if name is None:
        path = latest(sessions_folder(), "perudo")
        if path is None:
            raise UnknownName("no session of perudo yet; start one with: tahur play perudo")
        return path
    kept = sessions_folder() / (name if name.endswith(SUFFIX) else name + SUFFIX)
    for path in (Path(name), kept):
        if path.is_file():
            return path
    raise UnknownName(f"no session {name}; give a file, or the name of a session in {sessions_folder()}")


def _rounds(path: Path) -> list[Record]:
    """The rounds of Perudo in a session file or a file of records."""
    from tahur.core.limits import MOST_TEXT, TooLarge, read_file
    from tahur.core.record import Record

    try:
        text = read_file(path, MOST_TEXT).decode("utf-8", errors="replace")
    except (OSError, TooLarge) as error:
        raise RecordError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    records = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip() or line.startswith('{"session"'):
            continue
        try:
            record = Record.from_json(line)
        except RecordError as error:
            raise RecordError(f"{path.name}, line {number}: {error}") from None
        if record.game != "perudo":
            raise RecordError(f"{path.name}, line {number}: a hand of {record.game}, not of perudo")
        records.append(record)
    return records


def _spectator_memory(records: list[Record]) -> Memory:
    """The memory of a spectator: everything that a mind remembers is public."""
    from tahur.games.registry import game_of
    from tahur.players.perudo.memory import Memory

    memory = Memory()
    for record in records:
        memory.learn(record.seen_by(game_of(record), None))
    return memory


# ---- dice in words -------------------------------------------------------------------------------
# Dice and bids as people type them: `1,3,3,5,6`, `4x5`, `4 fives`.


FACES: Final = {"ace": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_BID: Final = re.compile(r"([0-9]{1,3})\s*[x*\s]?\s*([1-6]|[a-z]+)")
_DICE: Final = re.compile(r"[1-6](?:[\s,]*[1-6])*")
_CUPS: Final = re.compile(r"[0-9]{1,2}(?:\s*,\s*[0-9]{1,2})*")


def read_bid_words(text: str) -> tuple[int, int] | None:
    """A count and a face; None if the text is not a bid."""
    match = _BID.fullmatch(text.strip().lower())
    face = _face(match[2]) if match else None
    return None if match is None or face is None or int(match[1]) < 1 else (int(match[1]), face)


def read_dice(text: str) -> tuple[int, ...]:
    """Parse `1,3,3,5,6` or `13356`: the faces under a cup, in ascending order."""
    if not _DICE.fullmatch(text.strip()):
        raise IllegalAction(f"--mine {text}: write the faces of your dice, such as 1,3,3,5,6")
    return tuple(sorted(int(face) for face in re.findall("[1-6]", text)))


def read_cups(text: str) -> tuple[int, ...]:
    """Parse `5,3,2`: the number of dice of each seat."""
    if not _CUPS.fullmatch(text.strip()) or 0 in (cups := tuple(int(count) for count in text.split(","))):
        raise IllegalAction(f"--others {text}: write how many dice each other seat has, such as 5,3,2")
    return cups


def read_bids(text: str) -> list[tuple[int, int]]:
    """Parse `2x3,3x3,4 fives`: bids, oldest first."""
    words = [word for word in text.split(",") if word.strip()]
    bids = [read_bid_words(word) for word in words]
    for word, parsed in zip(words, bids, strict=True):
        if parsed is None:
            raise IllegalAction(f"'{word.strip()}' is not a bid; write it as 4x5 or 4 fives")
    return [parsed for parsed in bids if parsed is not None]


def _face(word: str) -> int | None:
    if word.isdigit():
        return int(word)
    return next((face for name, face in FACES.items() if word in (name, name + "s", name + "es")), None)
