"""Limit hold'em, and the heads-up limit games of the literature by their names.

A preset is one game with fixed caps, bets and blinds, so its name fully identifies it in published figures. Stacks, the
button and the number of board cards at which Flop Hold'em ends can be set. In `limit` everything can be set.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from tahur.core.errors import SettingError
from tahur.games.holdem.rules import Holdem
from tahur.games.holdem.stakes import (
    FLOP,
    RIVER,
    Limit,
    Stakes,
    stacks_of,
    two_numbers,
    whole_number,
    whole_numbers,
    yes_or_no,
)

USUAL: Final = (6, 100)  # default seats, and chips for each: 50 big blinds


def limit(
    *,
    stacks: Any = None,
    seats: Any = None,
    stack: Any = None,
    blinds: Any = (1, 2),
    ante: Any = 0,
    button: Any = 0,
    bets: Any = (2, 4),
    caps: Any = (3, 4, 4, 4),
    showdown_board: Any = RIVER,
    carry: Any = True,
    free_folds: Any = False,
) -> Holdem:
    """Limit hold'em. `bets` are the small and the big bet, `caps` the maximal bets and raises on each street."""
    stakes = Stakes(
        stacks=stacks_of(stacks, seats, stack, usual=USUAL),
        blinds=two_numbers("blinds", blinds),
        ante=whole_number("ante", ante),
        button=whole_number("button", button),
        structure=Limit(*two_numbers("bets", bets), whole_numbers("caps", caps)),
        showdown_board=whole_number("showdown_board", showdown_board),
        free_folds=yes_or_no("free_folds", free_folds),
    )
    return Holdem("limit", stakes, yes_or_no("carry", carry))


@dataclass(frozen=True, slots=True)
class LimitPreset:
    """A named heads-up limit game. Blinds are 1 and 2, bets 2 and, from the turn on, 4.

    Each deal starts with the same stacks, as figures per game are measured, unless it is created with `carry`.
    """

    name: str
    summary: str
    caps: tuple[int, ...]
    showdown_board: int = RIVER

    def __call__(
        self,
        *,
        stacks: Any = None,
        stack: Any = None,
        button: Any = 0,
        showdown_board: Any = None,
        carry: Any = False,
        **settled: Any,
    ) -> Holdem:
        """The game with these settings; `settled` are settings that this game does not allow to change."""
        self._check(settled)
        board = self.showdown_board if showdown_board is None else whole_number("showdown_board", showdown_board)
        stakes = Stakes(
            stacks_of(stacks, None, stack, usual=(2, USUAL[1])),
            button=whole_number("button", button),
            structure=Limit(2, 4, self.caps),
            showdown_board=board,
        )
        if len(stakes.stacks) != 2:
            raise SettingError(f"{self.name}: {len(stakes.stacks)} seats; it has two seats, 'limit' has 2 to 9")
        return Holdem(self.name, stakes, yes_or_no("carry", carry))

    def _check(self, settled: dict[str, Any]) -> None:
        """Check that settings from a record agree with this game; anything else would be another game."""
        ours = {"blinds": [1, 2], "ante": 0, "bets": [2, 4], "caps": list(self.caps)}
        for name, value in settled.items():
            if name not in ours:
                raise SettingError(f"{self.name} has no setting '{name}'")
            if (list(value) if isinstance(value, tuple) else value) != ours[name]:
                raise SettingError(f"{self.name} has {name} {ours[name]}, not {value!r}; in 'limit' they can be set")


PRESETS: Final = (
    LimitPreset("hulh", "heads-up limit hold'em, at most 3 bets and raises before the turn, 4 after", (3, 3, 4, 4)),
    LimitPreset("acpc", "heads-up limit hold'em of the computer poker competition, caps 3, 4, 4, 4", (3, 4, 4, 4)),
    LimitPreset("fhp", "Flop Hold'em: two rounds of betting, caps 3 and 3, three board cards", (3, 3), FLOP),
    LimitPreset("fhp-3-4", "Flop Hold'em with up to four bets on the flop", (3, 4), FLOP),
)
