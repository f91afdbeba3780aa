"""Decks and dice of the browser tests, by the title of the room: one text for each hand.

Hold'em: two cards for each seat that is dealt in, in the order of seats, then the board. Perudo: the dice of each cup.
"""

from __future__ import annotations

from typing import Final

SEEDED: Final = ("with seeds", "a forged river")  # rooms in which pages have a part in the shuffle

DEALS: Final[dict[str, tuple[str, ...]]] = {
    "a kicker": ("As Kd  Ac Qd  Ah 8s 6d 3c 2h",),  # the king beats the queen beside the same pair
    "a split pot": ("As Kd  Ac Kh  Ah 8s 6d 3c 2h",),
    "side pots": (  # stacks of 200 become 340, 220 and 40, then all of it goes in
        "2c 7d  As Ah  Kd Ks  Jd 8s 6d 3c 2h",
        "As Ah  2c 7d  Kd Ks  Jd 8s 6d 3c 2h",
        "Kd Ks  Qc Qh  As Ah  Jd 8s 6d 3c 2h",
    ),
    "a run-out": ("As Ah  Kd Ks  Kc 8s 6d 3c Ac",),
    "a count": ("11234 22256",),  # seven count for twos
    "one die each": ("2 3", "2 3", "2 3"),
}
