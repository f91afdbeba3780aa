"""`tahur arena profile`: measure a player's habits, from hands it plays now or from records."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tahur.cli.commands import with_option_groups
from tahur.cli.llm.options import PersonaOptions, fallbacks_of, in_mode, llm_options, models_json, say_models
from tahur.cli.output import Json, console, print_json, warm, watch
from tahur.cli.settings import POKER
from tahur.core.errors import RecordError, SettingError, TahurError

if TYPE_CHECKING:
    from tahur.arena.profile import Counts
    from tahur.core.game import Game
    from tahur.core.habits import Habits, Profile
    from tahur.core.player import Player
    from tahur.core.record import Record
    from tahur.players.bounded.fallbacks import Fallbacks
    from tahur.players.bounded.settings import LlmOptions

HANDS = 2000
SEED = 1


@with_option_groups
def profile(
    player: Annotated[
        str | None,
        typer.Argument(
            help="The player: caller, random, ...; with --records a name in the file, or everyone by default."
        ),
    ] = None,
    game: Annotated[str | None, typer.Option(help="nlhe, hulh, perudo, kuhn, ...; nlhe by default.")] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            help="An opponent; repeat the option for several. The last one fills the remaining seats. "
            "Default: random, which bets, calls and folds, so that every habit has opportunities."
        ),
    ] = None,
    hands: Annotated[int, typer.Option(help="Number of hands, or rounds of Perudo.", min=1)] = HANDS,
    seats: Annotated[int | None, typer.Option(help="Number of players at the table.", min=2, max=9)] = None,
    seed: Annotated[int, typer.Option(help="Seed of the hands.", min=0)] = SEED,
    records: Annotated[
        Path | None,
        typer.Option(exists=True, dir_okay=False, help="Read these hands (.jsonl, .phhs, .txt) instead of playing."),
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Explain each habit.")] = False,
    *,
    personas: PersonaOptions,
    as_json: Json = False,
) -> None:
    """Measure a player's habits, with 95 % intervals. Each hold'em hand starts with full stacks.

    tahur arena profile random --game perudo      tahur arena profile --records x.jsonl
    """
    if records is not None or (game or "nlhe") in POKER:
        warm()
    llm_of_player, missed = None, None
    if records is not None:
        profiles, missed = watch(_read_profiles(records, player, game), "profile")
    elif player is not None:
        who = in_mode([player, *(against or ["random"])], personas.mode, game or "nlhe")
        llm_of_player = llm_options(personas, who)
        profiles = [watch(_play(_game(game or "nlhe", seats), who, hands, seed, llm_of_player), "profile")]
        missed = fallbacks_of(llm_of_player)
    else:
        raise typer.BadParameter("name a player, or --records with a file of hands", param_hint="PLAYER")
    if as_json:
        print_json({"profiles": [profile.to_json() for profile in profiles]} | models_json(missed))
    else:
        _print(profiles, explain=explain)
    say_models(llm_of_player, missed, as_json=as_json)


def _print(profiles: Sequence[Profile], *, explain: bool) -> None:
    """Print the profiles game by game; each game is explained once, after its last player."""
    from tahur.show.standings import explanations, profile_table

    out = console()
    for profile, following in zip(profiles, [*profiles[1:], None], strict=True):
        out.print(profile_table(profile))
        if explain and (following is None or following.game != profile.game):
            out.print(explanations(profile))
    if not explain:
        out.print("[dim]Next: --explain explains each habit; a longer run narrows the intervals[/]")


# ---- playing -------------------------------------------------------------------------------------


def _game(name: str, seats: int | None) -> Game[Any]:
    """The game with this many seats; equal stacks in each hand if the game has that setting."""
    from tahur.games.registry import make

    game = make(name)
    settings: dict[str, Any] = {} if seats in (None, game.seats) else {"seats": seats}
    try:
        return make(name, {**settings, "carry": False} if "carry" in game.settings else settings)
    except SettingError:
        raise SettingError(f"{name} cannot be played by {seats} players; its default is {game.seats}") from None


def _habits(name: str) -> Habits:
    from tahur.games.registry import GAMES

    habits = GAMES[name].habits
    if habits is None:
        known = ", ".join(entry.name for entry in GAMES.values() if entry.habits is not None)
        raise SettingError(f"{name} has no habits to measure; games that have:  {known}")
    return habits


def _play(
    game: Game[Any], players: Sequence[str], hands: int, seed: int, llm: LlmOptions | None = None
) -> Generator[float, None, Profile]:
    """The profile of the first player; the last one fills the remaining seats."""
    from tahur.arena.profile import Counts, play_hands
    from tahur.arena.profile import profile as profile_of
    from tahur.cli.players import make_player
    from tahur.games.registry import game_of

    if len(players) > game.seats:
        raise SettingError(f"{len(players)} players, but {game.name} has {game.seats} seats here; see --seats")
    seated = [*players, *[players[-1]] * (game.seats - len(players))]
    habits = _habits(game.name)
    counts = Counts.none(habits)
    names = [seated[0], *(f"{name} {number}" for number, name in enumerate(seated[1:], start=2))]
    for name in seated:
        make_player(name, game, llm=llm)  # raises an error if it cannot play this game

    def line_up() -> list[Player]:
        return [make_player(name, llm=llm) for name in seated]

    for record, seat in play_hands(game, line_up, hands=hands, seed=seed, names=names):
        counts += Counts.of(habits.tallies(game_of(record), record)[[seat]])
        yield counts.deals / hands
    return profile_of(seated[0], game.name, habits, counts)


# ---- reading -------------------------------------------------------------------------------------


def _read_profiles(
    path: Path, player: str | None, game: str | None
) -> Generator[float, None, tuple[list[Profile], Fallbacks | None]]:
    """A profile for each name and game in the file, or for the requested one; and the models' fallbacks."""
    from tahur.arena.profile import profile as profile_of
    from tahur.cli.hands.reading import SUFFIXES, readings, record_in
    from tahur.players.bounded.fallbacks import Fallbacks

    if path.suffix not in SUFFIXES:
        raise RecordError(f"{path.name}: the file name must end in one of {', '.join(SUFFIXES)}")
    sums: dict[tuple[str, str], Counts] = {}
    names: set[str] = set()
    missed = Fallbacks()
    for reading in readings([path]):
        record = record_in(reading)
        if game in (None, record.game):
            tallies = _count_by_name(record, f"{path.name}, hand {reading.number}")
            names.update(tallies)
            _add(sums, record.game, {name: tally for name, tally in tallies.items() if player in (None, name)})
            missed += Fallbacks.of_record(record)
        yield reading.done
    if not sums:
        raise RecordError(_nothing(path.name, player, game, sorted(names)))
    profiles = [
        profile_of(name, game_name, _habits(game_name), sums[game_name, name]) for game_name, name in sorted(sums)
    ]
    return profiles, missed if missed.decisions else None


def _add(sums: dict[tuple[str, str], Counts], game: str, added: dict[str, Counts]) -> None:
    for name, counts in added.items():
        sums[game, name] = sums[game, name] + counts if (game, name) in sums else counts


def _nothing(file: str, player: str | None, game: str | None, names: Sequence[str]) -> str:
    if names:
        return f"{file}: no player is named {player!r}; players: {', '.join(names)}"
    return f"{file}: no hands{f' of {game}' if game else ''}"


def _count_by_name(record: Record, where: str) -> dict[str, Counts]:
    """What each name did in one hand; a name in two seats gets the sum of both."""
    from tahur.arena.profile import Counts
    from tahur.games.registry import game_of

    try:
        rules = game_of(record)
        tallies = _habits(record.game).tallies(rules, record)
    except TahurError as error:
        raise RecordError(f"{where}: {error}") from None
    names = record.names if len(record.names) == rules.seats else [f"seat {seat + 1}" for seat in range(rules.seats)]
    return {
        name: Counts.of(
            tallies[[seat for seat, occupant in enumerate(names) if occupant == name]].sum(axis=0, keepdims=True)
        )
        for name in names
    }
