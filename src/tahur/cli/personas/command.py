"""`tahur persona`: list the hold'em personas, show one in full, and measure how it plays."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tahur.cli.commands import command_group, with_option_groups
from tahur.cli.llm.options import PersonaOptions, fallbacks_of, in_mode, llm_options, models_json, say_models
from tahur.cli.output import Json, console, print_json, warm, watch
from tahur.cli.personas.options import options

if TYPE_CHECKING:
    from rich.text import Text

    from tahur.core.habits import Profile
    from tahur.core.record import Record
    from tahur.players.bounded.personas import Persona
    from tahur.players.bounded.settings import LlmOptions

persona = command_group("Personas for hold'em: the twelve built in, or your own from a TOML file.")
persona.add_typer(options, name="options", short_help="Show the menu that a persona chooses from, layer by layer.")

HANDS = 300
FIELD = ("notary", "clockmaker", "ferryman", "barber", "pirate")  # the players in the other seats
SAMPLES = 8  # lines of talk
SHOWN = ("VPIP", "PFR", "3-bet", "aggression factor", "aggression frequency", "fold to a bet", "WTSD")

Name = Annotated[str, typer.Argument(metavar="NAME", help="duelist, barber, ..., or your own file: grumpy.toml.")]


@persona.command("list", short_help="List the twelve built-in personas.")
def list_(as_json: Json = False) -> None:
    """The personas: how loose, how aggressive, how easily upset, and the profile that writes their menus."""
    from tahur.players.bounded.personas import house

    if as_json:
        print_json({"personas": [_json(member) for member in house()]})
        return
    for line in _lines(house()):
        console().print(line)
    console().print(
        "[dim]Next: tahur persona show duelist, or play against them: tahur play nlhe --vs duelist,barber[/]"
    )


@persona.command("show", short_help="Show one persona in full: figures, voice, lines.")
def show(name: Name, as_json: Json = False) -> None:
    """Show all settings of a persona: those that a file of your own can have.

    tahur persona show duelist      tahur persona show grumpy.toml --json
    """
    from rich.markup import escape

    from tahur.players.bounded.personas import persona_from_text

    chosen = persona_from_text(name)
    if as_json:
        print_json(_json(chosen))
        return
    out = console()
    for line in _lines((chosen,)):
        out.print(line)
    out.print(f"mood at rest: confidence {chosen.confidence}, composure {chosen.composure}, energy {chosen.energy}")
    out.print(f"speaks {chosen.chatter:.0%} of the time; voice: {escape(chosen.voice)}")
    for occasion, lines in chosen.lines:
        out.print(f"  [bold]{occasion:<7}[/] {escape('  '.join(lines))}")


@persona.command("test", short_help="Play some hundred hands: habits with intervals, and what it said.")
@with_option_groups
def try_out(
    name: Name,
    hands: Annotated[int, typer.Option(help="Number of hands, at a table of six.", min=1)] = HANDS,
    seed: Annotated[int, typer.Option(help="Seed of the cards.", min=0)] = 1,
    chooser: Annotated[str, typer.Option(help="The chooser: softmax, by_ev or scripted:1,2.")] = "softmax",
    *,
    personas: PersonaOptions,
    as_json: Json = False,
) -> None:
    """Play it against five others, rotating seats, and report what it does and what it says.

    tahur persona test duelist      tahur persona test grumpy.toml --hands 1000      ... --llm local
    """
    from rich.markup import escape

    from tahur.players.bounded.personas import persona_from_text
    from tahur.show.standings import profile_table

    chosen = persona_from_text(name)
    warm()
    llm = llm_options(personas)
    kind = f"persona:{name}@{chooser}" if llm is None else f"llm:{name}"
    [kind] = in_mode([kind], personas.mode, "nlhe")
    profile, lines = watch(_play_hands(kind, hands, seed, llm), "persona")
    missed = fallbacks_of(llm)
    if as_json:
        print_json({"persona": _json(chosen), "profile": profile.to_json(), "said": lines} | models_json(missed))
    else:
        out = console()
        for line in _lines((chosen,)):
            out.print(line)
        out.print(profile_table(profile))
        for spoken in lines:
            out.print(f"  [italic]{escape(spoken)}[/]")
    say_models(llm, missed, as_json=as_json)


def _play_hands(
    kind: str, hands: int, seed: int, llm: LlmOptions | None
) -> Generator[float, None, tuple[Profile, list[str]]]:
    """The habits of the first player at the table, and some of its lines."""
    from tahur.arena.profile import Counts, play_hands, profile
    from tahur.cli.players import make_player
    from tahur.core.player import Player
    from tahur.games.holdem.habits import HABITS
    from tahur.games.registry import game_of, make

    game = make("nlhe", {"seats": 6, "carry": False})
    names = [kind, *(f"persona:{name}" for name in FIELD)]
    counts, lines = Counts.none(HABITS), dict[str, None]()

    def line_up() -> list[Player]:
        return [make_player(name, game, llm=llm) for name in names]

    for record, seat in play_hands(game, line_up, hands=hands, seed=seed):
        counts += Counts.of(HABITS.tallies(game_of(record), record)[[seat]])
        lines.update(_lines_of(record, seat))
        yield counts.deals / hands
    habits = profile(kind, game.name, HABITS, counts)
    return _short(habits), list(lines)[:: max(1, len(lines) // SAMPLES)][:SAMPLES]


def _short(profile: Profile) -> Profile:

    return replace(profile, rows=tuple(row for row in profile.rows if row.name in SHOWN))


def _lines_of(record: Record, seat: int) -> dict[str, None]:
    return {line.text: None for line in record.talk if line.seat == seat}


def _json(persona: Persona) -> dict[str, Any]:
    return asdict(persona) | {"lines": dict(persona.lines), "profile": persona.profile.name}


def _lines(personas: tuple[Persona, ...]) -> Iterator[Text]:
    """One line for each persona, under a header."""
    from rich.text import Text

    wide = max(len(persona.name) for persona in personas) + 2
    titles = "".join(f"{title:>11}" for title in ("loose", "aggressive", "resilient"))
    yield Text(f"{'':<{wide}}{titles}  profile", "dim")
    for persona in personas:
        figures = "".join(f"{figure:11.2f}" for figure in (persona.looseness, persona.aggression, persona.resilience))
        yield Text.assemble(
            (f"{persona.name.lower():<{wide}}", "bold"), f"{figures}  {persona.profile.name:<17} ", persona.about
        )
