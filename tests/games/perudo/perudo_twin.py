"""The rules of Perudo said a second time, slowly and in words, for the tests to compare with.

Nothing here imports the package: bids are pairs of a count and a face, dice are lists, and each preset's cell of the
table of rules is an `if`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from math import ceil

Bid = tuple[int, int]
FACES = {"ace": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
FACES |= {"aces": 1, "twos": 2, "threes": 3, "fours": 4, "fives": 5, "sixes": 6}


def parse(words: str) -> Bid:
    """`3 fives` is (3, 5)."""
    count, name = words.split()
    return int(count), FACES[name]


@cache
def spell(bid: Bid) -> str:
    count, face = bid
    names = [name for name, shown in FACES.items() if shown == face]
    return f"{count} {names[0] if count == 1 else names[1]}"


def may_follow(preset: str, palifico: bool, my_dice: int, old: Bid, new: Bid) -> bool:
    """Whether a seat with `my_dice` dice may raise the old bid to the new one."""
    (count, face), (more, other) = old, new
    if palifico:
        if preset == "asmodee" and my_dice == 1:
            return other >= face and (more > count or (more == count and other > face))
        return other == face and more > count
    if face == 1 and other == 1:
        return more > count
    if other == 1:
        return more >= ceil(count / 2)
    if face == 1:
        return more >= 2 * count + 1
    if preset == "asmodee" and other < face:
        return False
    return more > count or (more == count and other > face)


def may_open(preset: str, palifico: bool, new: Bid) -> bool:
    return new[1] != 1 or palifico or preset == "classic"


def legal(preset: str, palifico: bool, cups: Sequence[int], seat: int, old: Bid | None) -> set[str]:
    """Everything the seat may say."""
    bids = [(count, face) for count in range(1, sum(cups) + 1) for face in range(1, 7)]
    if old is None:
        return {spell(new) for new in bids if may_open(preset, palifico, new)}
    said = {spell(new) for new in bids if may_follow(preset, palifico, cups[seat], old, new)} | {"dudo"}
    left = sum(dice > 0 for dice in cups)
    if preset == "faroleo" or (preset == "asmodee" and left > 2):
        said.add("calza")
    return said


@dataclass
class TwinMatch:
    """The state of a match, kept by hand."""

    preset: str
    start: int
    cups: list[int]
    opener: int = 0
    palifico: bool = False
    been_low: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        if self.preset == "faroleo" and self.cups[self.opener] == 1:
            self.palifico = True

    @property
    def in_play(self) -> list[int]:
        return [seat for seat, dice in enumerate(self.cups) if dice]

    def speakers(self, count: int) -> list[int]:
        """Who says the first `count` words of the round."""
        seats = [self.opener]
        while len(seats) < count:
            seat = (seats[-1] + 1) % len(self.cups)
            while not self.cups[seat]:
                seat = (seat + 1) % len(self.cups)
            seats.append(seat)
        return seats

    def finish(self, dice: Sequence[Sequence[int]], words: Sequence[str]) -> list[int]:
        """Score the round and set up the next one; returns the change in everybody's dice."""
        *_, bidder, caller = self.speakers(len(words))
        count, face = parse(words[-2])
        shown = [die for cup in dice for die in cup]
        there = shown.count(face)
        if face != 1 and not self.palifico:
            there += shown.count(1)
        changes = [0] * len(self.cups)
        if words[-1] == "dudo":
            moved = caller if there >= count else bidder
            changes[moved] = -1
        else:
            moved = caller
            if there != count:
                changes[moved] = -1
            elif self.cups[moved] != self.start:
                changes[moved] = +1
        self._move_on(changes, moved)
        return changes

    def _move_on(self, changes: list[int], moved: int) -> None:
        self.cups = [dice + change for dice, change in zip(self.cups, changes, strict=True)]
        fell_to_one = changes[moved] == -1 and self.cups[moved] == 1
        self.opener = moved
        while not self.cups[self.opener]:
            self.opener = (self.opener + 1) % len(self.cups)
        if self.preset == "faroleo":
            self.palifico = self.cups[self.opener] == 1
            return
        self.palifico = fell_to_one and moved not in self.been_low and len(self.in_play) > 2
        if fell_to_one:
            self.been_low.add(moved)
