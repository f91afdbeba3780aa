"""What a page of Study draws, as frozen dataclasses; the page's types are generated from these.

GET  /api/study                               -> Shelves       (saved spots and those that can be solved here)
POST /api/study?name=NAME       (a file)      -> Changed       (operator: import a file of `tahur postflop solve -o`)
GET  /api/study/SPOT                          -> SpotCard
GET  /api/study/SPOT/node?line=check,2c       -> NodeView      (&evs=1: with EVs and equities, which may take longer)
GET  /api/study/SPOT/runouts?line=check,call  -> RunoutsView       (&evs=1: with EVs)
GET  /api/study/SPOT/file                                      (the solution as a file)
POST /api/study/SPOT/solve                    -> SpotCard      (operator: solve a spot of the shelf)
POST /api/study/SPOT/rename     Rename        -> Changed       (operator)
POST /api/study/SPOT/delete                   -> Changed       (operator)
POST /api/study/SPOT/restore                  -> Changed       (operator: undo deleting)

Amounts are in the unit of the spot, chips or big blinds. The operator is whoever uses a browser on the server's own
machine. To keep payloads small, hands are columns: one text with four characters for each hand, and lists of numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

SpotState = Literal["solved", "unsolved", "waiting", "solving", "unreadable"]
NodeKindName = Literal["decision", "card", "end"]
MoveKind = Literal["fold", "check", "call", "bet", "raise", "all-in"]

# ---- the library ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SpotCard:
    """A spot in the library. `problem`: why it cannot be read or solved; `progress`: of solving, from 0 to 1."""

    spot: str  # its name in addresses
    name: str
    shelf: bool  # comes with tahur
    state: SpotState
    about: str  # positions or ranges, in words
    board: tuple[str, ...]
    pot: float
    stack: float
    unit: str
    exploitability: float | None  # % of the pot
    iterations: int | None
    size: int  # bytes of its file
    saved: float | None  # seconds since 1970
    seconds: float  # approximate time of solving it here
    progress: float
    problem: str


@dataclass(frozen=True, slots=True)
class Shelves:
    """All spots. `operator`: whether this browser may import, solve, rename and delete."""

    operator: bool
    spots: tuple[SpotCard, ...]
    most_upload: int  # bytes


@dataclass(frozen=True, slots=True)
class Rename:
    """A new name for a spot."""

    name: str


@dataclass(frozen=True, slots=True)
class Changed:
    """A change of the library is done; `spot` is the spot that it concerned."""

    spot: str


# ---- a node --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TrailStep:
    """A decision or a card on the way to a node: what could be chosen, and what was."""

    kind: Literal["decision", "card"]
    seat: int | None
    pot: float
    options: tuple[str, ...]  # the moves; empty for a card
    taken: str  # "" at the node itself


@dataclass(frozen=True, slots=True)
class MoveView:
    """A move of the seat to act. `share`: a bet or a raise in pots, after calling; `ev`: of the hands that make it."""

    name: str
    kind: MoveKind
    amount: str  # the total bet on this street, "" if there is none
    share: float | None
    frequency: float
    combos: float
    ev: float | None
    then: str


@dataclass(frozen=True, slots=True)
class SeatView:
    """A seat's range at a node; `hands` has four characters for each hand, and each list one number for each.

    `weight`: in the range, times the probability that its own moves lead here; `equity` in thousandths.
    """

    name: str
    ev: float | None
    equity: float | None
    realized: float | None  # EQR
    combos: float
    hands: str
    weight: tuple[float, ...]
    evs: tuple[float | None, ...]  # empty until they are computed
    equities: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class NodeView:
    """A node. `strategy` and `move_evs` have a list for each move, with a number for each hand of the seat to act.

    Frequencies in `strategy` are in thousandths. `complete`: whether EVs and equities are included.
    """

    spot: str
    kind: NodeKindName
    complete: bool
    board: tuple[str, ...]
    pot: float
    to_call: float
    stacks: tuple[float, ...]
    unit: str
    reach: float  # the probability of the line's moves, given the cards
    seat: int | None  # which acts
    outcome: str  # of an end: what happened
    trail: tuple[TrailStep, ...]
    moves: tuple[MoveView, ...]
    seats: tuple[SeatView, ...]
    strategy: tuple[tuple[int, ...], ...]
    move_evs: tuple[tuple[float | None, ...], ...]
    exploitability: float  # % of the pot, of the whole solution
    iterations: int


@dataclass(frozen=True, slots=True)
class RunoutCard:
    """A next card: the frequencies of the next decision's moves, and both seats' EVs."""

    card: str
    frequencies: tuple[float, ...]
    evs: tuple[float, ...]  # empty until they are computed


@dataclass(frozen=True, slots=True)
class RunoutsView:
    """All cards that can come next. The moves are the same on each."""

    seat: int
    moves: tuple[MoveView, ...]  # without figures of their own: frequency 0, no EV
    cards: tuple[RunoutCard, ...]
    complete: bool
