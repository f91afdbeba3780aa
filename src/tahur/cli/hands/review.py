"""`tahur hands review`, or short `tahur review`: what each decision of a player cost."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from tahur.cli.hands.reading import Fault, Paths, PendingHand, files_of, history_of, readings
from tahur.cli.output import Json, console, note, print_json, warm, watch
from tahur.core.errors import TahurError

if TYPE_CHECKING:
    from tahur.core.game import Seat
    from tahur.games.holdem.history import History
    from tahur.review.session import CostlyDecision, SessionReport
    from tahur.review.values import HandReview, JudgedDecision

LEAKS: Final = 5  # kinds of decisions shown


@dataclass(slots=True)
class Reviewed:
    """The reviews so far, by the number of the hand, and the hands that could not be read."""

    reviews: dict[int, HandReview] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    stopped: bool = False

    @property
    def numbers(self) -> list[int]:
        return list(self.reviews)


def review(
    paths: Paths,
    hero: Annotated[
        str | None, typer.Option(metavar="NAME", help="Whose decisions; by default the hero named in the file.")
    ] = None,
    hand: Annotated[int | None, typer.Option(min=1, help="Only this hand, in detail, counted over all files.")] = None,
    worst: Annotated[int, typer.Option(min=0, help="How many of the most expensive decisions to show.")] = 5,
    as_json: Json = False,
) -> None:
    """Judge the decisions of a player in hands of no-limit hold'em.

    Heads-up hands are judged: before the flop by the blueprint of the nearest depth, on each later street by a solution
    with the bets that were made. A cost within the error of the solution is no mistake. A hand that sees the flop takes
    10 to 20 seconds. Ctrl-C reports the hands judged so far.

    tahur hands review session.jsonl --worst 3
    tahur hands review session.jsonl --hand 12
    """
    for group in ("card", "postflop", "postflop-merged"):
        warm(group)
    result = watch(_reviewed(files_of(paths), hero, hand), "review")
    if hand is not None and not result.reviews and not result.faults:
        raise typer.BadParameter(f"there is no hand {hand}", param_hint="--hand")
    for fault in result.faults:
        note(f"{fault.file}, hand {fault.hand}: {fault.error}")
    from tahur.review.session import SessionReport

    session = SessionReport(tuple(result.reviews.values()))
    if as_json:
        print_json(_json(session, result))
    elif hand is not None:
        for reviewed in session.reviews:
            _print_hand(reviewed)
    else:
        _print_session(session, result.numbers, worst)
    raise typer.Exit(130 if result.stopped else 1 if result.faults else 0)


def _reviewed(files: Sequence[Path], hero: str | None, only: int | None) -> Generator[float, None, Reviewed]:
    """Review every hand, or one; yields the progress from 0 to 1."""
    result = Reviewed()
    try:
        for number, reading in enumerate(readings(files), start=1):
            if only in (None, number):
                _review_one(result, reading, number, hero)
            yield reading.done
    except KeyboardInterrupt:
        result.stopped = True
    return result


def _review_one(result: Reviewed, reading: PendingHand, number: int, hero: str | None) -> None:
    from tahur.review import review as reviewed

    try:
        history = history_of(reading.read())
        seat = _seat(history, hero)
        if seat is not None:
            result.reviews[number] = reviewed(history, seat)
    except TahurError as error:
        result.faults.append(reading.fault(error))


def _seat(history: History, hero: str | None) -> Seat | None:
    """The hero's seat; None if the player did not play this hand."""
    from tahur.games.holdem.story import player_names

    names = player_names(history)
    if hero is not None:
        return names.index(hero) if hero in names else None
    if history.hero is None:
        raise typer.BadParameter(
            f"the hand does not say whose view it is; give one of: {', '.join(names)}", param_hint="--hero"
        )
    return history.hero


# ---- printing ------------------------------------------------------------------------------------


def _print_session(session: SessionReport, numbers: Sequence[int], worst: int) -> None:
    out = console()
    hands = len(session.reviews)
    if not hands:
        out.print("no hands of that player")
        return
    out.print(f"[bold]{hands:,} hand{'s' * (hands != 1)} of {session.reviews[0].name}[/]")
    out.print(f"won {session.won:+.1f} bb, {session.won / hands * 100:+.1f} bb/100")
    mistakes = f"{session.mistakes:,} mistake{'s' * (session.mistakes != 1)} in {session.judged:,} judged decisions"
    out.print(f"decisions cost {session.lost:.1f} bb, {session.lost / hands * 100:.1f} bb/100: {mistakes}")
    for reason, count in session.unjudged.items():
        out.print(f"[dim]not judged: {count:,} decision{'s' * (count != 1)}: {reason}[/]")
    leaks = [leak for leak in session.leaks() if leak.lost > 0][:LEAKS]
    if leaks:
        out.print("\n[bold]where it was lost[/]")
    for leak in leaks:
        share = f"{leak.mistakes} of {leak.decisions} decisions"
        out.print(f"  {leak.name:<18} {leak.lost / hands * 100:6.1f} bb/100  {share}")
    costly = session.worst(worst)
    if costly:
        out.print("\n[bold]the most expensive decisions[/]")
    for item in costly:
        _print_costly(item, numbers[item.hand - 1])
    if costly:
        out.print(f"\nin detail: --hand {numbers[costly[0].hand - 1]}")


def _print_costly(item: CostlyDecision, number: int) -> None:
    from tahur.cards.cards import cards_of, cards_text
    from tahur.review.words import STREET_NAMES

    decision = item.decision
    board = f" on {cards_text(decision.board)}" if decision.board else ""
    cards = cards_text(cards_of(item.review.hand))
    console().print(
        f"  {item.lost:.2f} bb  hand {number}, {STREET_NAMES[decision.street]}: {cards}{board}, {decision.chosen}; "
        f"better: {decision.best}\n          [dim]{decision.why}[/]"
    )


def _print_hand(reviewed: HandReview) -> None:
    from tahur.cards.cards import cards_of, cards_text
    from tahur.review.words import STREET_NAMES, blinds_text

    out = console()
    cards = cards_text(cards_of(reviewed.hand)) if reviewed.hand >= 0 else "unknown cards"
    won = blinds_text(reviewed.won, reviewed.big_blind)
    out.print(f"[bold]{reviewed.name} with {cards}[/]: won {won}, decisions cost "
              f"{blinds_text(reviewed.lost, reviewed.big_blind)}")  # fmt: skip
    for decision in reviewed.decisions:
        board = f" {cards_text(decision.board)}" if decision.board else ""
        out.print(f"\n[bold]{STREET_NAMES[decision.street]}[/]{board}, pot {decision.pot}: {decision.chosen}")
        _print_decision(decision, reviewed.big_blind)
    for street, oop, ip in reviewed.ranges:
        out.print(f"\n[dim]ranges on the {street}, out of position: {oop}\nin position: {ip}[/]")


def _print_decision(decision: JudgedDecision, big_blind: int) -> None:
    from tahur.review.words import blinds_text

    out = console()
    if not decision.is_judged:
        out.print(f"  [dim]not judged: {decision.why}[/]")
        return
    cost = f"cost {blinds_text(decision.lost, big_blind)}" if decision.lost else "no mistake"
    out.print(f"  {decision.quality}, {cost} (error {blinds_text(decision.error, big_blind)}); {decision.how}")
    for action in decision.actions:
        out.print(f"    {action.name:<24} {action.chance:>4.0%}  {blinds_text(action.ev, big_blind):>9}")
    out.print(f"  {decision.why}")


def _json(session: SessionReport, result: Reviewed) -> dict[str, Any]:
    return {
        "hands": [
            {"number": number, **asdict(reviewed)}
            for number, reviewed in zip(result.numbers, session.reviews, strict=True)
        ],
        "won_bb": session.won,
        "lost_bb": session.lost,
        "judged": session.judged,
        "mistakes": session.mistakes,
        "not_judged": session.unjudged,
        "leaks": [asdict(leak) for leak in session.leaks()],
        "errors": [asdict(fault) for fault in result.faults],
    }
