"""A few seeded deals of a game as text: what each seat was shown and could do, what it did, and what became of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any

from games.contract import Deal, a_match
from tahur.core.game import CHANCE, Action, Game, Hand

DEALS = 4
LISTED = 6  # actions of a table, and the last
SEED = 1


def playthrough(game: Game[Any]) -> str:
    """Ends with a line's end."""
    lines = [f"{game.name} {json.dumps(dict(game.settings))}"]
    for deal in a_match(game, DEALS, SEED):
        lines += ["", *_deal(deal)]
    return "\n".join(lines) + "\n"


def _deal(deal: Deal) -> Iterator[str]:
    game, record, tables = deal.game, deal.record, deal.tables
    views = iter(deal.views)
    yield f"deal {deal.number}: {_hands(game, record.hands)}"
    yield f"start: {tables[0]!r}"
    for before, after, action in zip(tables, tables[1:], record.actions, strict=False):
        if before.turn == CHANCE:
            yield f"  chance has {_listed(game, before, game.outcomes(before, record.hands))}"
            who = "chance"
        else:
            view = next(views)
            choices = _listed(game, view.table, view.table.actions())
            yield f"  seat {view.seat} with {_text(game, view.hand)} has {choices}"
            who = f"seat {before.turn}"
        yield f"{who}: {game.label(before, action)}{_changes(before, after)}"
    yield f"over: payoffs {list(record.payoffs)}, shown {list(game.revealed(tables[-1]))}"
    for seat in (None, *range(game.seats)):
        who = "spectators know" if seat is None else f"seat {seat} knows"
        yield f"  {who} {_hands(game, record.seen_by(game, seat).hands)}"
    yield f"record: {record.to_json()}"
    following = game.next(record)
    yield f"next: {None if following is None else json.dumps(dict(following.settings))}"


def _hands(game: Game[Any], hands: tuple[Hand | None, ...]) -> str:
    return " | ".join(_text(game, hand) for hand in hands)


def _text(game: Game[Any], hand: Hand | None) -> str:
    return "?" if hand is None else f"{game.hand_text(hand)} ({hand})"


def _listed(game: Game[Any], table: Any, actions: Sequence[Action]) -> str:
    labels = [f"{game.label(table, action)} ({action})" for action in actions[:LISTED]]
    more = len(actions) - LISTED
    last = [f"and {more} more up to {game.label(table, actions[-1])} ({actions[-1]})"] if more > 0 else []
    return ", ".join(labels + last)


def _changes(before: Any, after: Any) -> str:
    """The fields of the table that are not as they were; its history is the lines above."""
    told = after._fields if isinstance(after, tuple) else [field.name for field in fields(after) if field.repr]
    names = [name for name in told if name != "history"]
    changed = [name for name in names if getattr(before, name) != getattr(after, name)]
    return "".join(f"; {name} {getattr(after, name)!r}" for name in changed)
