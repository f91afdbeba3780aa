"""Bots' thoughts as plain sentences.

A thought is one line of figures, separated by `|`, as the player wrote it. It is parsed and rewritten as sentences; a
line of another form is returned unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tahur.games.perudo.bids import action_text, bid

_PERSONA: Final = re.compile(
    r"\[.*?\] (?P<equity>\d+)% equity, (?P<needed>\d+)% needed \| mood (?P<mood>[^(|]+?) \((?P<feels>.*?)\)"
    r" \| plan (?P<plan>.*?) \| menu (?P<menu>.*?) \| blocked (?P<blocked>.*?)"
    r" \| chose (?P<number>\d+) by (?P<by>[^(]+?)(?: \((?P<why>.*)\))?$"
)
_LABELS: Final = {"+EV": "good", "neutral": "even", "marginal": "close", "-EV": "bad"}
_DICE: Final = re.compile(r"\| Bid: (?P<count>\d+)x(?P<face>\d) by (?P<who>[^|]+?) \|")
_CALL: Final = re.compile(r"\| (?P<call>Dudo|Calza) utility: -?[\d.]+ \(p=(?P<chance>[\d.]+)\)")
_BID: Final = re.compile(
    r"Best bid: (?P<count>\d+)x(?P<face>\d) utility: -?[\d.]+ \(p=(?P<chance>[\d.]+), (?P<way>\w+)\)"
)
_ODDS: Final = re.compile(
    r"\[Odds\] (?P<said>.+?): true (?P<true>[\d.]+), exact (?P<exact>[\d.]+), (?P<dice>[-+][\d.]+) dice"
)

_DOING: Final = {"fold": "folding", "check": "checking", "call": "calling", "raise": "raising"}


def plain(thought: str) -> str:
    """The thought in sentences."""
    for form, say in ((_PERSONA, _persona), (_ODDS, _odds)):
        if found := form.match(thought):
            return " ".join(say(found))
    if "| Chose: " in thought:
        return " ".join(_mind(thought))
    return re.sub(r"^\[[^]]*\] ?(\| )?", "", thought)


# ---- hold'em -------------------------------------------------------------------------------------


def _persona(found: re.Match[str]) -> Iterator[str]:
    needed = int(found["needed"])
    price = f"a call needed {needed} %" if needed else "a check was free"
    yield f"It expected {found['equity']} % of the pot with its hand; {price}."
    if found["mood"] != "composed":
        state, _, severity = found["mood"].partition(":")
        grip = "and it showed" if "in its grip" in found["feels"] else "but it kept its head"
        yield f"It was {state}{f' ({severity})' if severity else ''}, {grip}."
    plan = found["plan"].partition(": ")[2] or found["plan"]
    if plan:
        yield f"Its plan: {plan[0].lower()}{plan[1:].rstrip('.')}."
    yield from _weighed(found["menu"])
    if found["blocked"] != "nothing":
        act, _, why = found["blocked"].partition(": ")
        yield f"It ruled out {_DOING.get(act, act)}: {why}."
    yield _chosen(found)


def _weighed(menu: str) -> Iterator[str]:
    """The options on the menu, with their labels."""
    options = re.findall(rf"\d+ (.+?) ({'|'.join(map(re.escape, _LABELS))})(?:, |$)", menu)
    if len(options) > 1:
        yield "Its options: " + _listed([f"{words} ({_LABELS[label]})" for words, label in options]) + "."


def _chosen(found: re.Match[str]) -> str:
    by, why = found["by"], found["why"] or ""
    if by == "forced":
        return "Nothing else made sense."
    if by == "model":
        return f"The language model chose: {why.rstrip('.')}." if why else "The language model chose."
    if by.startswith("fallback"):
        return "The language model gave no answer, so the best option was played."
    share = re.search(rf"\b{found['number']} (\d+)%", why)
    return f"It chooses this {share[1]} % of the time." if share else ""


# ---- Perudo --------------------------------------------------------------------------------------


def _mind(thought: str) -> Iterator[str]:
    standing, chose = _DICE.search(thought), thought.rpartition(": ")[2]
    chances = {call["call"]: float(call["chance"]) for call in _CALL.finditer(thought)}
    if standing:
        exact = f", exactly met with {_percent(chances['Calza'])}" if chances.get("Calza") else ""
        true = f"It held the bid of {standing['who']}, {_bid_words(standing)}, for true with "
        yield f"{true}{_percent(1 - chances['Dudo'])}{exact}."
    best = _BID.search(thought)
    if best:
        bluff = ", a bluff" if best["way"] == "bluff" else ""
        own = "Its own bid" if chose == "BID" else "The best bid it had"
        yield f"{own}, {_bid_words(best)}{bluff}, it held for true with {_percent(float(best['chance']))}."
    if chose in ("DUDO", "CALZA"):
        yield f"So it said {chose.lower()}."


def _odds(found: re.Match[str]) -> Iterator[str]:
    said, dice = found["said"], float(found["dice"])
    if said in ("dudo", "calza"):
        yield f"It held the bid for true with {_percent(float(found['true']))}."
    else:
        yield f"By its own dice it held {said} for true with {_percent(float(found['true']))}."
    yield f"It expected to {'lose' if dice < 0 else 'gain'} {abs(dice):.2f} dice by this."


def _bid_words(found: re.Match[str]) -> str:
    return action_text(bid(int(found["count"]), int(found["face"])))


def _percent(share: float) -> str:
    return "less than 1 %" if 0 < share < 0.01 else f"{100 * share:.0f} %"


def _listed(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]
