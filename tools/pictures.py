"""Draw the pictures of the README from real output: `make pictures`."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.text import Text

from tahur.arena.match import Match
from tahur.arena.summary import tournament_summary
from tahur.arena.tournament import Tournament, round_robin
from tahur.arena.work import Workers
from tahur.cards.cards import COMBOS
from tahur.cards.equity import equity
from tahur.cards.flops import hand_classes, start_classes
from tahur.cards.ranges import Range
from tahur.cli.arena.tournament import tables
from tahur.cli.limit.policies import Subject
from tahur.cli.limit.show import SPOTS, Wanted, sheet_of, spots_of, trace_of
from tahur.cli.postflop.explorer import scene_of
from tahur.cli.postflop.explorer_state import Explorer
from tahur.games.betting import SLOTS
from tahur.games.registry import GAMES, make
from tahur.players.registry import make_player
from tahur.show.actions import matrix_svg as actions_svg
from tahur.show.cards import equity_table
from tahur.show.decision import picture_of
from tahur.show.explorer import screen
from tahur.show.matrix import matrix_svg, matrix_text
from tahur.show.sheet import Sheet
from tahur.show.sheet_page import sheet_svg
from tahur.show.strategy import figures_of
from tahur.show.trace import Log, LogPoint, trace_svg
from tahur.solvers.limit.engine import layout_of
from tahur.solvers.limit.player_policy import AnyFlopPolicy
from tahur.solvers.limit.solve import BookSource, FlopSolver
from tahur.solvers.postflop.line import walk
from tahur.solvers.postflop.results import result_at
from tahur.solvers.postflop.solve import solve
from tahur.solvers.postflop.spot import spot

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"

# Rich's own frame fetches its font from the network; this one uses what the reader has.
FRAME = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: {char_height}px; line-height: {line_height}px; }}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}"/></clipPath>{lines}</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g></g></svg>
"""

BASELINES = ("caller", "folder", "random", "maniac", "odds")
SPOT = {
    "oop": "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s",
    "ip": "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+",
}
MARKS = (1, 2, 5, 10, 20, 50, 100)  # iterations
OPENING = "22+,A2s+,K9s+,QTs+,JTs,T9s:0.5,98s:0.5,ATo+,KJo+"


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    _terminal(
        "equity.svg",
        Group(
            _typed("tahur cards equity AhKh QQ+,AKs,JTs any --board Qs7h2h"),
            equity_table(equity("AhKh", "QQ+,AKs,JTs", "any", board="Qs7h2h")),
            Text(),
            _typed(f'tahur cards range "{OPENING}"'),
            matrix_text(Range.parse(OPENING).matrix()),
        ),
    )
    _terminal("tournament.svg", Group(_typed("tahur arena tournament nlhe " + " ".join(BASELINES)), *_tournament()))
    (PICTURES / "range.svg").write_text(matrix_svg(Range.parse(OPENING).matrix()))
    _postflop()
    _limit()


def _tournament() -> Iterator[RenderableType]:
    """A small tournament of the baselines, as the command shows it."""
    game = make("nlhe", {"seats": 2})
    makers = [partial(make_player, name) for name in BASELINES]
    two = Match(game, GAMES["nlhe"].scorings(game)[0], BASELINES[:2], tuple(makers[:2]), seed=1, duplicate=True)
    contest = Tournament(BASELINES, round_robin(two, BASELINES, makers), 500, {})
    for _ in contest.play(Workers(os.cpu_count() or 1)):
        pass
    yield tables(tournament_summary(contest))


def _postflop() -> None:
    """The river of docs/postflop.md: a decision as `--svg` draws it, and as the explorer's screen."""
    asked = spot(board="Td9d6hQc2s", **SPOT, pot=200, stack=900, sizes="50%,100%,a / 60%,a")
    solution = solve(asked, target=0.1)
    place = walk(solution.engine, "check,bet100")
    found = result_at(solution, place)
    (PICTURES / "postflop.svg").write_text(actions_svg(picture_of(found)))
    now = Explorer.at_root(solution.engine)
    for name in ("check", "bet100"):
        while str(now.node.moves[now.marked]) != name:
            now = now.press("down")
        now = now.press("right")
    for key in ("h", "K", "J", "s", "enter"):
        now = now.press(key)
    _terminal("explore.svg", Group(screen(scene_of(now, found, counting=False), 120, 38)), width=120)


@dataclass(frozen=True)
class Solved:
    """Flop Hold'em in the current state of the solver."""

    source: BookSource

    def preflop(self) -> Any:
        return self.source.start()[:, start_classes().member]

    def flop(self, cards: Any) -> Any:
        return self.source.classes(cards)[:, :, hand_classes(cards).member].reshape(-1, COMBOS, len(SLOTS))


@dataclass(frozen=True)
class Before:
    """The preflop strategy at an earlier iteration."""

    rows: Any

    def chances(self, decision: int, board: tuple[int, ...]) -> Any:
        return self.rows[decision]


def _limit() -> None:
    """Flop Hold'em of docs/limit.md: `tahur show fhp.tahur --svg`, and `--trace` over its iterations; 1.8 GB."""
    game: Any = make("fhp", {})
    solver = FlopSolver(layout_of(game))
    betting = solver.layout.flop.betting
    policy = Solved(BookSource(solver.layout, solver.sums))
    then, points = list[Subject](), list[LogPoint]()
    for mark in MARKS:
        solver.iterate(mark - solver.iteration)
        facts = solver.facts(solver.measure())
        points.append(LogPoint(mark, (), facts.exploitability))
        then.append(Subject(f"{mark}", betting, Before(policy.preflop().copy()), iterations=mark))
    whole = Subject("strategy:fhp.tahur", betting, AnyFlopPolicy(policy, betting), figures_of(facts))
    steps = sheet_of(whole, Wanted(preflop=True, flops=24, flop="", line="raise,call"))
    (PICTURES / "limit.svg").write_text(sheet_svg(_last(steps)))
    (PICTURES / "limit-trace.svg").write_text(
        trace_svg(trace_of(then, spots_of(SPOTS)), [Log("exploitability", facts.unit, tuple(points))])
    )


def _last(steps: Generator[float, None, Sheet]) -> Sheet:
    try:
        while True:
            next(steps)
    except StopIteration as done:
        sheet: Sheet = done.value
        return sheet


def _typed(command: str) -> Text:
    return Text.assemble(("$ ", "dim"), (command, "bold"))


def _terminal(name: str, content: Group, *, width: int = 92) -> None:
    paper = Console(record=True, width=width, file=StringIO(), force_terminal=True, color_system="truecolor")
    paper.print(content)
    svg = paper.export_svg(title="tahur", code_format=FRAME, unique_id="tahur")
    (PICTURES / name).write_text(svg)


if __name__ == "__main__":
    main()
