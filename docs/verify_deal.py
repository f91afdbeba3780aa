"""Check a deal of the card room, with the Python standard library alone: python verify_deal.py DEAL.json

DEAL.json is {"proof": ..., "notes": ...}. The proof is the server's, given out after the hand; the notes are your own:
{"commitment": "5f2c...", "seat": 0, "seed": "9e1b...", "hands": [{"seat": 0, "cards": ["As", "Kd"]}], "board": ["2c"]}
"""

import hashlib
import json
import re
import sys


def sha(text):
    return hashlib.sha256(text.encode()).hexdigest()


def need(condition, otherwise):
    if not condition:
        sys.exit(f"REFUSED: {otherwise}")


def read_header(text, hand):
    """Cards or dice, how many, which draws are whose, and the hashes of seeds: the header must be written just so."""
    head = re.match(rf"tahur deal 1\nhand: {int(hand)}\ngame: \w+\n(cards|dice): (\d+)\n", text)
    need(head, "the header is not of this hand")
    unit, total, draws, top = head[1], int(head[2]), {}, 0
    for who, numbers in re.findall(r"\n(seat \d|board): ([\d ]+)", text):
        draws[who] = list(range(top, top + len(numbers.split())))
        top += len(draws[who])
    seeds = dict(re.findall(r"\nseed (\d): ([0-9a-f]{64})", text))
    order = sorted(draws, key=lambda who: (who == "board", who))
    lines = [f"{who}: {' '.join(map(str, draws[who]))}" for who in order]
    lines += [f"seed {seat}: {seeds[seat]}" for seat in sorted(seeds)]
    need(text == head[0] + "\n".join(lines), "the dealing order is not seat after seat, then the board")
    sizes = {who: len(draws[who]) for who in draws}
    cards = (total, sizes.pop("board", 0), set(sizes.values())) == (52, 5, {2})
    need(cards if unit == "cards" else top == total, "the dealing order is not that of the game")
    return unit, total, draws, {int(seat): seeds[seat] for seat in seeds}


def check(proof, notes):
    hand, digests, seeds = proof["hand"], proof["digests"], {each["seat"]: each["seed"] for each in proof["seeds"]}
    need(notes["commitment"] == proof["commitment"], "the commitment is not the one that was published before the deal")
    need(sha("\n".join([proof["header"], *digests])) == proof["commitment"], "header and digests are not as committed")
    unit, total, draws, hashes = read_header(proof["header"], hand)
    need(len(digests) == total == len(set(digests)), f"there are not {total} different digests")
    need(len(seeds) == len(proof["seeds"]), "a seat has two seeds")
    need(all(hashes.get(seat) == sha(seeds[seat]) for seat in seeds), "a seed is not the one that was committed to")
    need(notes["seed"] in (None, seeds.get(notes["seat"])), "your seed was not used: it came too late or was left out")
    mix = sha("\n".join(f"{seat}:{seeds[seat]}" for seat in sorted(seeds)))
    order = sorted(range(total), key=lambda at: sha(f"{mix}:{at}")) if seeds and unit == "cards" else range(total)
    opened = {each["place"]: each for each in proof["openings"]}
    need(len(opened) == len(proof["openings"]), "a place is opened twice")
    for place, each in opened.items():
        need(re.fullmatch("[2-9TJQKA][shdc]" if unit == "cards" else "[1-6]", each["value"]), "that is no card or die")
        sealed = sha(f"{hand}:{place}:{each['value']}:{each['salt']}")
        need(place in range(total) and sealed == digests[place], f"place {place} was sealed with something else")
    values = {draw: opened[place]["value"] for draw, place in enumerate(order) if place in opened}
    if seeds and unit == "dice":
        values = {at: str((int(die) - 1 + int(sha(f"{mix}:{at}"), 16) % 6) % 6 + 1) for at, die in values.items()}
    need(set(values) <= {draw for row in draws.values() for draw in row}, "a card is opened that nobody was dealt")
    need(unit == "dice" or len(set(values.values())) == len(values), "a card is there twice")
    own = draws.get(f"seat {notes['seat']}", [])
    need(all(draw in values for draw in own), "not all of your own hand is opened")
    for seen in notes["hands"]:
        dealt = [values.get(draw, "?") for draw in draws.get(f"seat {seen['seat']}", [])]
        need(sorted(dealt) == sorted(seen["cards"]), f"seat {seen['seat']} held {seen['cards']}, its draws are {dealt}")
    dealt = [values.get(draw, "?") for draw in draws.get("board", [])]
    need(dealt[: len(notes["board"])] == notes["board"], f"the board was {notes['board']}, its draws are {dealt}")


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        deal = json.load(file)
    check(deal["proof"], deal["notes"])
    print(f"Hand {deal['proof']['hand']} was dealt as it was committed to.")
