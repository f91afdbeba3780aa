"""Nets made by hand, and what they regret worked out slowly, table by table: the twin of the traversal."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest

from tahur.core.game import CHANCE, OVER
from tahur.core.net_file import KeptNet, NetSet
from tahur.core.player import View
from tahur.core.towers import PARTS, SLOTS, Towers
from tahur.games.betting import Betting
from tahur.games.encoders.encoder import BET_WIDTH
from tahur.games.encoders.registry import encoder_of
from tahur.games.registry import make
from tahur.players.solved import NetPlayer
from tahur.solvers.deep import kernels

WIDTH = 8


def random_net(cards: int, seed: int, *, width: int = WIDTH, loud: float = 1.5, mixed: bool = False) -> Towers:
    """`mixed`: a net that regrets everything, and so plays every legal action now and then."""
    rng = np.random.default_rng(seed)
    sizes = {"cards": (cards, width, width, width), "bets": (BET_WIDTH, width, width, SLOTS * (width + 1))}
    parts = {}
    for name in PARTS:
        tower, layer, part = name.split(".")
        into, out = sizes[tower][int(layer)], sizes[tower][int(layer) + 1]
        shape = (out, into) if part == "weight" else (out,)
        parts[name] = (rng.standard_normal(shape) * loud / np.sqrt(into)).astype(np.float32)
    parts["bets.2.bias"][width :: width + 1] += 5 * mixed
    return Towers(parts)


def constant_net(cards: int, wishes: tuple[float, float, float]) -> Towers:
    """A net that says the same of fold, call and raise whatever it sees."""
    net = random_net(cards, 0)
    parts = {name: np.zeros_like(part) for name, part in net.parts.items()}
    parts["bets.2.bias"] = np.concatenate([np.append(np.zeros(WIDTH), wish) for wish in wishes]).astype(np.float32)
    return Towers(parts)


def random_set(name: str, nets: int, seed: int = 0) -> NetSet:
    """Several random nets for a game, later ones weighing more."""
    game = make(name)
    width = encoder_of(game).card_width
    kept = tuple(
        KeptNet(t, float(t), (random_net(width, seed + 2 * t), random_net(width, seed + 2 * t + 1)))
        for t in range(1, nets + 1)
    )
    return NetSet(game=game.name, settings=game.settings, iteration=nets, uniform=False, kept=kept)


def lines_of(betting: Betting) -> list[tuple[int, ...]]:
    """The actions of the seats that lead to each decision."""
    lines: list[tuple[int, ...]] = []
    for decision in range(betting.decisions):
        line: list[int] = []
        node = decision
        while betting.parent[node] >= 0:
            line.append(int(betting.actions[betting.parent[node], betting.slot[node]]))
            node = int(betting.parent[node])
        lines.append(tuple(reversed(line)))
    return lines


class Twin:
    """Walks the rules with one deal: the other seat must always play one action, or it would have to be drawn."""

    def __init__(self, name: str, nets: tuple[Towers, Towers], traverser: int) -> None:
        self.game: Any = make(name)
        self.encoder = encoder_of(self.game)
        kept = KeptNet(1, 1.0, nets)
        self.player = NetPlayer(
            NetSet(game=self.game.name, settings=self.game.settings, iteration=1, uniform=False, kept=(kept,))
        )
        self.kept, self.traverser = kept, traverser
        self.found: dict[tuple[Any, ...], list[float]] = {}

    def value(self, table: Any, hands: tuple[int, ...], board: list[int], line: tuple[int, ...] = ()) -> float:
        if table.turn == OVER:
            return float(self.game.payoffs(table, hands)[self.traverser])
        if table.turn == CHANCE:
            return self.value(table.after(board[0]), hands, board[1:], line)
        view = View(self.game, table, table.turn, hands[table.turn])
        chances = self.player.chances(self.kept, view)
        slots = self.encoder.slots(table)
        if table.turn != self.traverser:
            action = max(chances, key=chances.__getitem__)
            assert chances[action] == 1
            return self.value(table.after(action), hands, board, (*line, action))
        worth = {
            action: self.value(table.after(action), hands, board, (*line, action))
            for action in slots
            if action is not None
        }
        mean = sum(chances[action] * worth[action] for action in worth)
        regrets = [0.0 if action is None else worth[action] - mean for action in slots]
        self.found[(*hands, *board, "|", *line)] = regrets
        return mean


def in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the traversal's kernels as plain Python, where a bug can be planted."""
    for name, function in vars(kernels).copy().items():
        if hasattr(function, "py_func"):
            monkeypatch.setattr(kernels, name, function.py_func)


def every_deal(name: str) -> np.ndarray:
    cards = {"kuhn": (3, 2), "leduc": (6, 3)}[name]
    return np.array(list(permutations(range(cards[0]), cards[1])), np.uint8)
