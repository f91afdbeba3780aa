"""`tahur persona options certify`: the most that a menu can cost, and the cost of random choices, on solved spots."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Protocol

import numpy as np
import typer
from numpy.typing import NDArray

from tahur.cards.cards import COMBOS, cards_of, cards_text
from tahur.cards.flops import Flop, canonical_flop
from tahur.cli.output import Json, console, print_json, warm, watch
from tahur.cli.personas.cost import (
    RARE,
    FlipCost,
    FlipSubject,
    FlipTally,
    Key,
    Spread,
    cost_of,
    costs,
    meetings,
    spread,
)
from tahur.core.arrays import Float64s
from tahur.core.errors import SettingError
from tahur.games.betting import DECISION, FOLDED, NOT_LEGAL, SLOTS, Betting
from tahur.players.bounded.situation import EquityEstimate, Position, Situation
from tahur.solvers.postflop.tree import Deed, Move

if TYPE_CHECKING:
    from tahur.solvers.postflop.solve import PostflopSolution, PostflopSolver


STATES: Final = ("tilted", "overconfident", "shaken", "dissociated")
SIZES: Final = "33%,67%,100%,150%,a / 60%,120%,a"
SPOTS: Final = (
    ("Ks7h2d9c4s", "22+,A2s+,K9s+,QTs+,JTs,ATo+,KQo", "22+,A8s+,K9s+,QTs+,T9s,98s,AJo+,KTo+", 200, 600),
    ("QhJh8c3d2h", "55+,A9s+,KTs+,Q9s+,JTs,T9s,AQo+,KQo", "22+,A2s+,K9s+,Q9s+,J9s+,T8s+,98s,ATo+,KJo+,QJo", 120, 900),
    ("Tc6d6s5hAd", "22+,ATs+,KQs,T9s,98s,87s,76s,65s,AQo+", "77-22,A2s-A9s,KJs+,QJs,T8s+,97s+,86s+,65s,A9o+", 300, 450),
)
"""Board, ranges, pot and stack, in chips; a big blind is ten."""
TARGET: Final = 0.1  # % of the pot


def certify(
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[FILE]...", help="Solved rivers or Flop Hold'em; by default three built-in rivers."),
    ] = None,
    severity: Annotated[str, typer.Option(help="Severity of the moods: mild, moderate or extreme.")] = "extreme",
    big_blind: Annotated[int, typer.Option(help="Big blind of the rivers, in their chips.", min=1)] = 10,
    flops: Annotated[int, typer.Option(help="Number of random flops of Flop Hold'em.", min=1)] = 3,
    seed: Annotated[int, typer.Option(help="Seed of the random flops.", min=0)] = 1,
    as_json: Json = False,
) -> None:
    """The most that the worst option of any menu loses, and what uniformly random choices lose per hand.

    On river spots that are solved first, or that `tahur postflop solve -o FILE` wrote, or on flops of Flop Hold'em that
    `tahur solve fhp -o FILE` wrote. Costs are measured against the solution's other seat, in thousandths of a big
    blind, for every profile and mood.

    tahur persona options certify      tahur persona options certify river.tahur --severity mild
    """
    choosers = _choosers(severity)
    certified = []
    for name, quality, steps, chips_per_blind in _subjects(files or [], choosers, big_blind, flops, seed):
        certified.append(Certified(name, quality, watch(_steps(steps), f"menus on {name}"), 1000 / chips_per_blind))
    if as_json:
        print_json({"unit": "mbb", "spots": [_spot_json(spot) for spot in certified], "all": _total_json(certified)})
        return
    _print(certified)


@dataclass(frozen=True, slots=True)
class Certified:
    """One spot or one game: how well it is solved, and the costs in chips; `scale` converts them to mbb."""

    name: str
    quality: str
    costs: list[FlipCost]
    scale: float


def _subjects(
    files: list[Path], choosers: list[FlipSubject], big_blind: int, flops: int, seed: int
) -> Iterator[tuple[str, str, Iterator[float | list[FlipCost]], int]]:
    """For each spot or game: its name, how well it is solved, the steps that compute its costs, and its big blind.

    The steps yield their progress, and the costs at the end.
    """

    from tahur.games.holdem.flop_table import is_flop_table, read_flop_table

    for file in files:
        if is_flop_table(file):
            table, rng = read_flop_table(file), np.random.default_rng(seed)
            facts = table.facts
            quality = f"{facts.game}, solved to {facts.exploitability:.3g} {facts.unit}"
            steps = flop_costs(table, choosers, flops, rng)
            yield f"{file}, {flops} flops", quality, steps, table.game.stakes.blinds[1]
    rivers = [file for file in files if not is_flop_table(file)]
    if files and not rivers:
        return
    warm("postflop")
    for name, solution in _solutions(rivers):
        quality = f"solved to {solution.exploitability:.3f} % of the pot"
        yield name, quality, costs(solution, choosers, big_blind=big_blind), big_blind


def _choosers(severity: str) -> list[FlipSubject]:
    """Every option profile in every mood of this severity."""
    from tahur.players.bounded.mood import CALM, mood_from_text
    from tahur.players.bounded.profiles import PROFILES

    if severity not in ("mild", "moderate", "extreme"):
        raise SettingError(f"--severity {severity}: must be mild, moderate or extreme")
    moods = [CALM, *(mood_from_text(f"{state}:{severity}") for state in STATES)]
    return [FlipSubject(profile, mood) for profile in PROFILES.values() for mood in moods]


def _solutions(files: list[Path]) -> Iterator[tuple[str, PostflopSolution]]:
    """The solved spots to certify on, with their names: those of the files, otherwise the built-in ones."""
    from tahur.solvers.postflop.solve import PostflopSolution, PostflopSolver
    from tahur.solvers.postflop.spot import spot

    for file in files:
        yield str(file), PostflopSolution.load(file)
    for board, oop, ip, pot, stack in () if files else SPOTS:
        solver = PostflopSolver(spot(board=board, oop=oop, ip=ip, pot=pot, stack=stack, sizes=SIZES))
        watch(_solve(solver), f"solving {board}")
        yield cards_text(solver.spot.board), solver.solution()


def _solve(solver: PostflopSolver) -> Generator[float, None, None]:
    from tahur.solvers.solver import run

    for progress in run(solver, iterations=2000, target=TARGET, every=25):
        if progress.measure is not None:
            yield min(1.0, TARGET / max(progress.measure.exploitability, TARGET))


def _steps(steps: Iterator[float | list[FlipCost]]) -> Generator[float, None, list[FlipCost]]:
    """Yield the progress, and return the list of costs that ends it."""
    for step in steps:
        if isinstance(step, list):
            return step
        yield step
    raise AssertionError("costs end with a list")


def _spot_json(spot: Certified) -> dict[str, object]:
    """The costs of all profiles and moods on one spot, in milli big blinds."""

    rows = [
        {
            "profile": cost.profile,
            "mood": cost.mood,
            "worst": round(cost.worst.chips * spot.scale, 1),
            "where": cost.worst.line,
            "hand": cards_text(cards_of(cost.worst.hand)) if cost.worst.hand >= 0 else None,
            "option": cost.worst.option,
            "coins": round(cost.coins * spot.scale, 1),
        }
        for cost in spot.costs
    ]
    return {"spot": spot.name, "quality": spot.quality, "costs": rows}


def _total_json(spots: list[Certified]) -> list[dict[str, Any]]:
    """Combine all spots: the maximum of the worst options, the mean of the random choices."""
    scales = [spot.scale for spot in spots]
    return [
        {
            "profile": same[0].profile,
            "mood": same[0].mood,
            "worst": round(max(cost.worst.chips * scale for cost, scale in zip(same, scales, strict=True)), 1),
            "coins": round(sum(cost.coins * scale for cost, scale in zip(same, scales, strict=True)) / len(same), 1),
        }
        for same in zip(*(spot.costs for spot in spots), strict=True)
    ]


def _print(spots: list[Certified]) -> None:
    """Print the costs on all spots as a table."""
    from rich.table import Table

    out = console()
    for spot in spots:
        out.print(f"[bold]{spot.name}[/]  [dim]{spot.quality}[/]")
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for heading in ("profile", "mood"):
        table.add_column(heading, no_wrap=True)
    table.add_column("worst option, mbb", justify="right")
    table.add_column("coin flips, mbb/hand", justify="right")
    for row in _total_json(spots):
        table.add_row(row["profile"], row["mood"], f"{row['worst']:,.0f}", f"{row['coins']:,.0f}")
    out.print(table)
    out.print(
        "[dim]worst: the costliest option on any menu; coin flips: uniformly random choices, mean of both seats[/]"
    )
    out.print("Next: [bold]tahur persona options certify --json[/] names the hands and the lines")


# ---- the cost on flops ---------------------------------------------------------------------------
# What menus cost on flops of Flop Hold'em, against a strategy from a file. As on rivers (`cost`): no card is dealt
# after the flop, so every decision is computed exactly for all hands. Before the flop both seats follow the file; only
# the losses of menus on the flop count, over all lines to it.


FINE: Final = 100  # equities are rounded to one percent: a flop has a thousand hands
FLOP: Final = 1  # the street
FOLD, CALL, RAISE = range(len(SLOTS))


class FlopStrategy(Protocol):
    """A strategy for Flop Hold'em: `games/holdem/flop_table.FlopTable`, or any object with the same methods."""

    @property
    def betting(self) -> Betting: ...

    def preflop(self) -> NDArray[np.float32]: ...

    def flop(self, cards: Flop) -> NDArray[np.float32]: ...


def flop_costs(
    table: FlopStrategy, choosers: Sequence[FlipSubject], flops: int, rng: np.random.Generator
) -> Iterator[float | list[FlipCost]]:
    """Yield the progress; return the costs, in chips per deal, averaged over both seats and all flops."""
    tallies = [FlipTally() for _ in choosers]
    for number in range(flops):
        cards, _ = canonical_flop(tuple(int(card) for card in rng.choice(52, 3, replace=False)))
        for seat in (0, 1):
            walk = FlopWalk(table=table, cards=cards, seat=seat, choosers=choosers, tallies=tallies)
            for done in walk.run():
                yield (number + (seat + done) / 2) / flops
    yield [cost_of(chooser, tally, 1 / (2 * flops)) for chooser, tally in zip(choosers, tallies, strict=True)]


class FlopWalk:
    """Walks the betting on one flop with one seat's hands, against the file's strategy in the other seat."""

    def __init__(
        self, table: FlopStrategy, cards: Flop, seat: int, choosers: Sequence[FlipSubject], tallies: list[FlipTally]
    ) -> None:
        """All hands of a flop, for the decisions of one seat; results are added to `tallies`, one for each chooser."""
        self.betting, self.cards, self.seat = table.betting, cards, seat
        self.choosers, self.tallies = choosers, tallies
        self.hands = np.array([hand for hand in range(COMBOS) if not set(cards_of(hand)) & set(cards)])
        chances = np.concatenate([table.preflop(), table.flop(cards)])[:, self.hands]
        self.chances = chances.astype(float)  # (decisions, hands, 3)
        self.wins, self.free = meetings(self.hands, self.hands, cards)
        self.total = float(self.free.sum())
        self.everybody = np.ones(len(self.hands))

    def run(self) -> Iterator[float]:
        """Process the lines one by one, yielding the progress."""
        first = self.betting.first[FLOP]
        roots = [node for node in self.betting.of_street(FLOP) if self.betting.parent[node] < first]
        for number, root in enumerate(roots):
            own, other = self._reach(root, self.seat), self._reach(root, 1 - self.seat)
            self.visit(root, other, [own] * len(self.choosers))
            yield (number + 1) / len(roots)

    def visit(self, node: int, other: Float64s, owns: list[Float64s]) -> Float64s:
        """The value of the seat's best play from here, summed over the other's hands; adds the choosers' losses."""
        if self.betting.kind[node] != DECISION:
            return self._terminal_value(node, other)
        legal = [slot for slot in range(len(SLOTS)) if self.betting.children[node, slot] != NOT_LEGAL]
        children = [int(self.betting.children[node, slot]) for slot in legal]
        if self.betting.seat[node] != self.seat:
            answers = [other * self.chances[node, :, slot] for slot in legal]
            return sum((self.visit(*child, owns) for child in zip(children, answers, strict=True)), 0 * other)
        pairs = self.free @ other
        spreads = self._spreads(node, legal, other, pairs)
        strategies = [np.array([spread.shares for spread in rows]).T for rows in spreads]
        values = np.array(
            [
                self.visit(child, other, [own * often[at] for own, often in zip(owns, strategies, strict=True)])
                for at, child in enumerate(children)
            ]
        )
        self._count(node, values, pairs, owns, spreads)
        best: Float64s = values.max(axis=0)
        return best

    def _count(
        self, node: int, values: Float64s, pairs: Float64s, owns: list[Float64s], spreads: list[list[Spread]]
    ) -> None:
        """Add what each chooser loses at a decision to its tally, and the worst option that it was offered."""
        missed = values.max(axis=0) - values
        lost = missed / np.where(pairs > 0, pairs, 1)
        reach = float(self.everybody @ pairs) / self.total
        line = f"{cards_text(self.cards)} {','.join(SLOTS[slot] for slot in self.betting.line(node))}"
        for tally, own, rows in zip(self.tallies, owns, spreads, strict=True):
            strategy = np.array([spread.shares for spread in rows]).T
            tally.coins += float(own @ (strategy * missed).sum(axis=0)) / self.total
            if reach >= RARE:
                tally.witness(line, lost, rows, self.hands, np.flatnonzero((own > 0) & (pairs > 0)))

    def _spreads(self, node: int, legal: list[int], other: Float64s, pairs: Float64s) -> list[list[Spread]]:
        """For each chooser, how it chooses with each hand; hands with the same rounded equity choose alike."""
        equity = np.where(pairs > 0, self.wins @ other / np.where(pairs > 0, pairs, 1), 0.0)
        rounded = (np.round(equity * FINE) / FINE).tolist()
        situation, moves = self._situation(node), self._moves(node, legal)
        known: dict[Key, Spread] = {}
        rows = []
        for chooser in self.choosers:
            by_equity = {equity: spread(moves, chooser, situation, equity, known) for equity in set(rounded)}
            rows.append([by_equity[equity] for equity in rounded])
        return rows

    def _terminal_value(self, node: int, other: Float64s) -> Float64s:
        """What each hand wins at a terminal, times the opponent's reach."""
        stake = float(self.betting.committed[node].min())
        if self.betting.kind[node] == FOLDED:
            won: Float64s = (self.free @ other) * (-stake if self.betting.seat[node] == self.seat else stake)
            return won
        shown: Float64s = (2 * self.wins - self.free) @ other * stake
        return shown

    def _reach(self, root: int, seat: int) -> Float64s:
        """A seat's own reach of the flop with each hand, by its strategy before the flop."""
        reach, node = np.ones(len(self.hands)), root
        while self.betting.parent[node] >= 0:
            above = int(self.betting.parent[node])
            if self.betting.seat[above] == seat:
                reach = reach * self.chances[above, :, self.betting.slot[node]]
            node = above
        return reach

    def _moves(self, node: int, legal: list[int]) -> list[Move]:
        """The legal actions at a node (fold, call, raise by number) as moves of a persona's line."""
        owes = bool(np.ptp(self.betting.committed[node]))
        words = {FOLD: Move(Deed.FOLD), CALL: Move(Deed.CALL if owes else Deed.CHECK)}
        return [words.get(slot) or Move(Deed.RAISE, int(self.betting.actions[node, slot]) - 1) for slot in legal]

    def _situation(self, node: int) -> Situation:
        """The situation at this node without equity; after the flop, the hand itself does not matter."""
        betting, stakes = self.betting, self.betting.game.stakes
        root, raises = node, 0
        while betting.street[betting.parent[root]] == FLOP:
            raises += int(betting.slot[root] == RAISE)
            root = int(betting.parent[root])
        committed, before = betting.committed[node].tolist(), int(betting.committed[root].max())
        own, highest = committed[self.seat], max(committed)
        action = int(betting.actions[node, RAISE])
        return Situation(
            hole=tuple(int(card) for card in cards_of(int(self.hands[0]))),
            board=tuple(self.cards),
            seats=2,
            opponents=1,
            position=Position.BUTTON if self.seat == stakes.button else Position.BLINDS,
            pot=sum(committed),
            cost=highest - own,
            stack=stakes.stacks[self.seat] - own,
            big_blind=stakes.blinds[1],
            committed=own,
            street_bet=own - before,
            bet=highest - before,
            raises=range(action - 1, action) if action != NOT_LEGAL else range(0),
            reach=stakes.stacks[1 - self.seat] - before,
            street_raises=raises,
            estimate=EquityEstimate(0.0),
        )
