"""Print the checksum of the shipped table of preflop equities; with --recount, count again and rewrite the table."""

from __future__ import annotations

import argparse
import sys
from hashlib import sha256
from pathlib import Path

from tahur.cards.equity.hand import PLACE, recount, to_json
from tahur.core.cache import write_whole

FILE = Path(__file__).parent.parent / "src" / "tahur" / PLACE


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--recount", action="store_true", help="count every pair of hands again: about 10 seconds")
    if asked.parse_args().recount:
        points = []
        for done, won in recount():
            points.append(won)
            if done % 1000 == 0:
                print(f"\r{done:,} pairs", end="", file=sys.stderr, flush=True)
        print(file=sys.stderr)
        write_whole(FILE, to_json(points).encode())
    print(f"{sha256(FILE.read_bytes()).hexdigest()}  {PLACE}")


if __name__ == "__main__":
    main()
