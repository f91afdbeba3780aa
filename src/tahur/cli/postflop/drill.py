"""`tahur postflop drill`: practise hands of a solved spot; each choice is graded by the EV it loses."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tahur.cli.output import Json, console, print_json
from tahur.cli.postflop.options import warm_solver
from tahur.cli.postflop.show import SEATS

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from tahur.solvers.postflop.grading import Drill, DrillAnswer, DrillQuestion, Ending, NodeValues, Score
    from tahur.solvers.postflop.tree import Move

COLOURS = {"best": "green", "close": "green", "mistake": "yellow", "blunder": "red"}
WORDS = ("out of position", "in position")
FRUITLESS = 1000  # deals in a row without a question
_LEAVE = ("q", "quit", "exit")
_AMOUNT = re.compile(r"(?:bet|raise|all-?in|b|r)?\s*(?:to)?\s*([0-9][0-9,]*(?:\.[0-9]+)?)\s*(?:bb)?")


def drill(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file written by `tahur postflop solve -o FILE`.")],
    hands: Annotated[int, typer.Option(help="How many hands to play.", min=1)] = 20,
    seat: Annotated[str, typer.Option(help="Your seat: oop, ip, or both (alternating).")] = "both",
    line: Annotated[str, typer.Option(help="Start after these moves, separated by commas: check,bet100,call.")] = "",
    turn: Annotated[str | None, typer.Option(help="The turn card, if the line goes beyond the turn.")] = None,
    river: Annotated[str | None, typer.Option(help="The river card, if the line goes beyond the river.")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed, to repeat the same hands; random by default.", min=0)] = None,
    json_log: Annotated[
        Path | None, typer.Option("--json-log", help="Append each answer to this file as a line of JSON.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Play hands of a solved spot against the solution; each choice is graded by the EV it loses.

    tahur postflop drill spot.tahur      tahur postflop drill spot.tahur --seat ip --line check --hands 10

    Type the key in front of a choice, or an amount; `q` or Ctrl-C stops and shows the score so far. A move that
    the solution makes at least 10 % of the time with your hand is never a mistake; any other costs what it earns less
    than your hand does in the solution, if that is more than the error with which the hand's value is known.
    --json prints the score as JSON and the questions on stderr.
    """
    import numpy as np

    from tahur.solvers.postflop.grading import Drill, Score
    from tahur.solvers.postflop.line import walk
    from tahur.solvers.postflop.solve import PostflopSolution

    _check(seat, json_log)
    solution = PostflopSolution.load(file)
    place = walk(solution.engine, line, turn=turn, river=river)
    warm_solver(merge_rivers=solution.engine.layout.merged is not None)
    out, score = console(errors=as_json), Score()
    try:
        session = _Session(out=out, drill=Drill(solution, place), score=score, log=json_log, file=file)
        session.play(hands, _seats(seat), np.random.default_rng(seed))
    except (KeyboardInterrupt, EOFError, _Leave):
        out.print()
    if as_json:
        print_json(_score_json(score))
    else:
        _print_score(out, score)


class _Leave(Exception):
    """The user typed `q`."""


class _Session:
    """A drill in the terminal: deals hands, asks and grades."""

    def __init__(self, out: Console, drill: Drill, score: Score, log: Path | None, file: Path) -> None:
        self._out = out
        self._drill = drill
        self._score = score
        self._log = log
        self._file = file

    def play(self, hands: int, seats: tuple[int, ...], rng: Any) -> None:
        """Deal until the user has decided in `hands` of them, taking the seats in turn."""
        from tahur.core.errors import SolverError
        from tahur.solvers.postflop.grading import PLAYED

        solution = self._drill.solution
        self._out.print(
            f"[dim]exploitability {solution.exploitability:.3f} % of the pot; what the solution does at least "
            f"{PLAYED:.0%} of the time with a hand is not a mistake[/]"
        )
        played = fruitless = 0
        while played < hands:
            if self._hand(played + 1, seats[played % len(seats)], rng):
                played, fruitless = played + 1, 0
                continue
            fruitless += 1
            if fruitless == FRUITLESS:
                raise SolverError(f"{FRUITLESS} deals without a decision of that seat; choose another --seat or --line")

    def _hand(self, number: int, seat: int, rng: Any) -> bool:
        """Play one deal; return whether there was a decision."""
        deal = self._drill.hand(seat, rng)
        was_asked = False
        try:
            question = next(deal)
            while True:
                if not was_asked:
                    self._out.print()
                    self._out.rule(f"[bold]hand {number}[/], you are {WORDS[seat]}", align="left", style="dim")
                was_asked = True
                question = deal.send(self._ask(question))
        except StopIteration as stop:
            if was_asked:
                self._out.print(_ending_text(stop.value, seat, self._drill.solution.spot.unit))
        return was_asked

    def _ask(self, question: DrillQuestion) -> int:
        """Ask until there is a valid choice, then grade it; returns the choice."""
        from rich.markup import escape

        from tahur.core.errors import IllegalAction
        from tahur.solvers.postflop.grading import DrillAnswer

        moves = question.decision.moves
        self._out.print(_table_text(question))
        while True:
            line = self._out.input("> ").strip().lower()
            if line in _LEAVE:
                raise _Leave
            try:
                choice = read_choice(moves, line)
            except IllegalAction as error:
                self._out.print(f"[red]{escape(str(error))}[/]")
                continue
            answer = DrillAnswer(question, question.decision.grade(question.hand, choice))
            self._score.answers.append(answer)
            self._out.print(_grade_text(answer))
            self._write(answer)
            return choice

    def _write(self, answer: DrillAnswer) -> None:
        if self._log is not None:
            with self._log.open("a", encoding="utf-8") as log:
                log.write(json.dumps({"file": str(self._file)} | _answer_json(answer)) + "\n")


def keys_of(moves: tuple[Move, ...]) -> dict[str, int]:
    """The key of each move: f, c, a for all-in, and 1, 2, ... for the other bets in ascending order."""
    from tahur.solvers.postflop.tree import Deed

    plain = {Deed.FOLD: "f", Deed.CHECK: "c", Deed.CALL: "c", Deed.ALL_IN: "a"}
    sizes = iter(range(1, len(moves) + 1))
    return {plain.get(move.deed) or str(next(sizes)): at for at, move in enumerate(moves)}


def read_choice(moves: tuple[Move, ...], line: str) -> int:
    """The index of the move that was typed: by its key, name, first word, or amount."""
    from tahur.core.errors import IllegalAction

    keys = keys_of(moves)
    word = {"k": "c", "x": "c", "check": "c", "call": "c", "fold": "f", "allin": "a", "all-in": "a"}.get(line, line)
    names = {str(move): at for at, move in enumerate(moves)}
    for known in (keys, names):
        if word in known:
            return known[word]
    begun = [at for at, move in enumerate(moves) if move.to and word and move.deed.value.startswith(word)]
    amount = _AMOUNT.fullmatch(word)
    if amount:
        begun = [at for at, move in enumerate(moves) if move.amount.removesuffix("bb") == amount[1].replace(",", "")]
    if len(begun) == 1:
        return begun[0]
    choices = ", ".join(f"{key} {_words(moves[at])}" for key, at in keys.items())
    raise IllegalAction(f"'{line}' is not a choice here; type {choices}, or q to stop")


def _words(move: Move) -> str:
    name = {"raise": "raise to", "all-in": "all-in"}.get(move.deed.value, move.deed.value)
    return f"{name} {move.amount}" if move.to else name


def _table_text(question: DrillQuestion) -> Text:
    """Print the board, pot, action so far, hand and choices."""
    from rich.text import Text

    from tahur.cards.cards import cards_of
    from tahur.cards.evaluator import evaluate, rank_name
    from tahur.show.cards import card_text

    decision, held = question.decision, cards_of(question.hand)
    unit = "bb" if decision.spot.big_blind else ""
    text = Text.assemble("  ", card_text(decision.state.board), (f"   pot {decision.pot:,}{unit}", "yellow"))
    call = f", {decision.to_call:,}{unit} to call" if decision.to_call else ""
    text.append(f"{call}, {decision.behind:,}{unit} behind\n", "dim")
    if decision.state.line:
        text.append(f"  {'; '.join(_line_words(decision))}\n")
    rank = rank_name(evaluate((*held, *decision.state.board)))
    text.append("  you hold ").append(card_text(held)).append(f"  {rank}\n  ", "dim")
    colours = {"f": "bold blue", "c": "bold green"}
    for key, at in keys_of(decision.moves).items():
        text.append(key, colours.get(key, "bold magenta")).append(f" {_words(decision.moves[at])}   ")
    return text.append("q", "bold dim").append(" stop", "dim")


def _line_words(decision: NodeValues) -> Iterator[str]:
    """The action so far, with the cards dealt; each street begins with the seat out of position."""
    from tahur.solvers.postflop.tree import Deed

    cards = iter(decision.state.board[len(decision.solution.spot.board) :])
    who, checked = 0, False
    for move in decision.state.line:
        yield f"{'you' if who == decision.seat else 'they'} {_words(move)}"
        if move.deed is Deed.CALL or (move.deed is Deed.CHECK and checked):
            yield f"then {next(cards)}"
            who, checked = 0, False
        else:
            who, checked = 1 - who, move.deed is Deed.CHECK


def _grade_text(answer: DrillAnswer) -> Text:
    """The grade of an answer: verdict, EV lost, and the reason."""
    from rich.text import Text

    grade = answer.grade
    decision = answer.question.decision
    worth = f"the hand is worth {decision.figure(grade.value)} (± {grade.error:.2g})"
    cost = f": {decision.figure(grade.lost)} {decision.spot.unit} lost, {grade.pct:.1f} % of the pot; {worth}"
    verdict = grade.verdict.value + (cost if grade.lost else "")
    return Text.assemble("  ", (verdict, f"bold {COLOURS[grade.verdict.value]}"), "\n  ", (grade.why, ""))


def _ending_text(ending: Ending, seat: int, unit: str) -> Text:
    """How a drilled hand ended and what was won, in the spot's unit."""
    from rich.text import Text

    from tahur.cards.cards import cards_of
    from tahur.show.cards import card_text

    won = f"{ending.won:+g} {unit}, half of the pot counted as yours"
    if ending.folded is not None:
        return Text(f"  {'you fold' if ending.folded == seat else 'they fold'}: {won}", "dim")
    board, theirs = card_text(ending.board), card_text(cards_of(ending.hands[1 - seat]))
    return Text.assemble(("  showdown on ", "dim"), board, (", they have ", "dim"), theirs, (f": {won}", "dim"))


def _print_score(out: Console, score: Score) -> None:
    """Print the mean EV lost and the share of each verdict."""
    from tahur.solvers.postflop.grading import MoveQuality

    count = len(score.answers)
    if not count:
        out.print("No decisions, no score.")
        return
    unit = score.answers[0].question.decision.spot.unit
    out.print(
        f"\n[bold]{count} decision{'s' if count > 1 else ''}[/]: {score.lost:.2f} {unit} lost each on average, "
        f"{score.pct:.2f} % of the pot"
    )
    out.print("  " + "   ".join(f"{quality.value} {score.count(quality) / count:.0%}" for quality in MoveQuality))
    for place, answer in enumerate(score.worst(), start=1):
        payload, grade = _answer_json(answer), answer.grade
        lost = answer.question.decision.figure(grade.lost)
        line = ",".join(payload["line"]) or "first"
        out.print(
            f"  {place}. {payload['hand']} on {payload['board']}, {line}: {grade.chosen} lost {lost} "
            f"({grade.pct:.1f} % of the pot)\n     {grade.why}"
        )


def _score_json(score: Score) -> dict[str, Any]:
    """The score for `--json`."""
    from tahur.solvers.postflop.grading import MoveQuality

    count = len(score.answers)
    return {
        "decisions": count,
        "mean_lost": score.lost,
        "mean_lost_pct": score.pct,
        "shares": {quality.value: score.count(quality) / count if count else 0.0 for quality in MoveQuality},
        "worst": [_answer_json(answer) for answer in score.worst()],
    }


def _answer_json(answer: DrillAnswer) -> dict[str, Any]:
    """One answer as a line of the JSON log."""
    from tahur.cards.cards import cards_of, cards_text

    decision, grade, hand = answer.question.decision, answer.grade, answer.question.hand
    moves = [str(move) for move in decision.moves]
    return {
        "seat": SEATS[decision.seat],
        "board": cards_text(decision.state.board),
        "line": [str(move) for move in decision.state.line],
        "hand": cards_text(cards_of(hand)),
        "pot": decision.pot,
        "unit": decision.spot.unit,
        "chosen": str(grade.chosen),
        "best": str(grade.best),
        "lost": grade.lost,
        "lost_pct": grade.pct,
        "value": grade.value,
        "error": grade.error,
        "verdict": grade.verdict.value,
        "why": grade.why,
        "evs": dict(zip(moves, decision.evs[:, hand].tolist(), strict=True)),
        "solution": dict(zip(moves, decision.strategy[:, hand].tolist(), strict=True)),
    }


def _seats(seat: str) -> tuple[int, ...]:
    return (0, 1) if seat == "both" else (SEATS.index(seat),)


def _check(seat: str, json_log: Path | None) -> None:
    """Check the seat, and that the log can be written."""
    if seat not in (*SEATS, "both"):
        raise typer.BadParameter(f"--seat {seat}: must be oop, ip or both")
    if json_log is not None:
        try:
            with json_log.open("a", encoding="utf-8"):
                pass
        except OSError as error:
            raise typer.BadParameter(f"--json-log {json_log} cannot be written: {error.strerror}") from None
