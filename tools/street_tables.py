"""Print the counted tables of docs/street.md; with --recount, count again and rewrite counts.json."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tahur.core.cache import write_whole
from tahur.games.holdem.buckets import Bucket
from tahur.games.holdem.textures import Texture
from tahur.solvers.street.counts import PLACE, BucketCounts, exact_counts, recount, to_json
from tahur.solvers.street.matrices import exact, frequencies

PACKAGE = Path(__file__).parent.parent / "src" / "tahur"


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--recount", action="store_true", help="count every flop again: about half a minute of one core")
    if asked.parse_args().recount:
        counted: dict[Texture, BucketCounts] = {}
        for progress in recount(counted=counted):
            print(f"\r{progress.done} of {progress.of}", end="", file=sys.stderr, flush=True)
        write_whole(PACKAGE / PLACE, to_json(counted).encode())
        print(file=sys.stderr)
        return
    print_flops()
    print_buckets()
    print_equities()
    print_reported()


def print_flops() -> None:
    for texture, counts in exact_counts().items():
        print(f"| `{texture}` | {counts.flops:,} |")


def print_buckets() -> None:
    print("\n| texture | " + " | ".join(bucket.label for bucket in Bucket) + " |")
    for texture in Texture:
        print(f"| `{texture}` | " + " | ".join(f"{100 * share:.2f}" for share in exact(texture).marginal) + " |")


def print_equities() -> None:
    for texture in Texture:
        print(f"\n| {texture} | " + " | ".join(bucket.label for bucket in Bucket) + " |")
        for bucket, row in zip(Bucket, exact(texture).equity, strict=True):
            print(f"| {bucket.label} | " + " | ".join(f"{share:.3f}" for share in row) + " |")


def print_reported() -> None:
    print()
    for row in frequencies():
        if row.reported is not None:
            reported, found = f"{100 * row.reported:.4g}", f"{100 * row.probability:.2f}"
            print(f"| `{row.texture}` | {row.bucket.label} | {reported} | {found} | {row.reason} |")


if __name__ == "__main__":
    main()
