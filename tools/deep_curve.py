"""The learning curve of a Flop Hold'em run: exact exploitability of the average of its nets, for the docs.

python tools/deep_curve.py FOLDER             # at every checkpoint interval
python tools/deep_curve.py FOLDER 100 200     # after these iterations

All flops, all hands; a net costs about ten CPU seconds, for any number of points.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

from tahur.core.net_file import read_header, read_nets
from tahur.games.registry import make
from tahur.solvers.deep.flop_nets import curve
from tahur.solvers.limit.engine import layout_of


def main(folder: str, *given: str) -> None:
    nets, header = read_nets(Path(folder)), read_header(Path(folder))
    every = header["config"]["checkpoint"]["interval"]
    wanted = [int(each) for each in given] or range(every, header["iteration"] + 1, every)
    marks = sorted({sum(net.iteration <= each for net in nets.kept) for each in wanted} - {0})
    game: Any = make(nets.game, dict(nets.settings))
    began, steps = time.process_time(), curve(layout_of(game), nets, game, marks)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            values = end.value
            break
    for mark, value in zip(marks, values, strict=True):
        told = value * 1000 / game.stakes.blinds[1]
        print(f"| {nets.kept[mark - 1].iteration} | {mark} | {told:.1f} |")
    print(f"{game.name}: iteration, nets, (BR1 + BR2) / 2 in mbb/g, exact; {time.process_time() - began:.0f} CPU-s")


if __name__ == "__main__":
    main(*sys.argv[1:])
