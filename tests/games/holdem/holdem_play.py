"""Random deals of hold'em for the tests: stakes of every kind, and seats that raise, call and go all-in a lot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from tahur.cards.cards import combo_of, parse_cards
from tahur.core.game import CHANCE, OVER, Action, Hand
from tahur.games.holdem.rules import Holdem
from tahur.games.holdem.stakes import Limit, Stakes, Structure
from tahur.games.holdem.table import CALL, FOLD, HoldemTable

Style = Callable[[HoldemTable, Random], Action]


def random_stakes(random: Random, dealt_in: int) -> Stakes:
    """Stacks from one chip up, often too short for ante or blind, an empty seat here and there."""
    big = random.choice((1, 2, 2, 4, 10, 25))
    deepest = random.choice((3, 12, 40, 200))
    stacks = [random.randint(1, deepest) for _ in range(dealt_in)]
    while len(stacks) < 9 and random.random() < 0.15:
        stacks.insert(random.randrange(len(stacks) + 1), 0)
    button = random.choice([seat for seat, stack in enumerate(stacks) if stack])
    ante = random.choice((0, 0, 0, 1, 3))
    small = random.randint(0 if dealt_in == 2 or not ante else 1, big if dealt_in > 2 else big - 1)
    return Stakes(tuple(stacks), (small, big), ante, button)


def random_limit(random: Random) -> Structure:
    small = random.choice((1, 2, 2, 5))
    return Limit(small, small * random.choice((1, 2)), tuple(random.randint(0, 4) for _ in range(4)))


def random_hands_and_board(random: Random, stakes: Stakes) -> tuple[tuple[Hand, ...], list[int]]:
    deck = random.sample(range(52), 2 * len(stakes.stacks) + 5)
    board = [deck.pop() for _ in range(5)]
    return tuple(combo_of((deck.pop(), deck.pop())) if stack else -1 for stack in stakes.stacks), board


def uniform(table: HoldemTable, random: Random) -> Action:
    return random.choice(table.actions())


def shoves(table: HoldemTable, random: Random) -> Action:
    raises = table.raises
    return raises[-1] + 1 if raises and random.random() < 0.6 else _timid(table, random)


def raises_the_least(table: HoldemTable, random: Random) -> Action:
    raises = table.raises
    return raises[0] + 1 if raises and random.random() < 0.6 else _timid(table, random)


def calls(table: HoldemTable, random: Random) -> Action:
    return CALL if random.random() < 0.9 else uniform(table, random)


def anything(table: HoldemTable, random: Random) -> Action:
    """Each decision in another style."""
    return random.choice((uniform, shoves, raises_the_least, calls))(table, random)


STYLES: tuple[Style, ...] = (anything, uniform, shoves, raises_the_least, calls, calls)  # calls see the river


def tables(game: Holdem, random: Random, hands: tuple[Hand, ...]) -> Iterator[HoldemTable]:
    """Every table of a random deal, the last one included."""
    style = random.choice(STYLES)
    table = game.start()
    yield table
    while table.turn != OVER:
        action = random.choice(game.outcomes(table, hands)) if table.turn == CHANCE else style(table, random)
        table = table.after(action)
        yield table


def hands_of(*texts: str) -> tuple[Hand, ...]:
    """`AsKd`, ... as hands."""
    return tuple(combo_of(parse_cards(text)) for text in texts)


def play(game: Holdem, moves: str) -> HoldemTable:
    """The table after moves such as `f c r60 c QsJs2h`: fold, call or check, raise to 60, board cards."""
    table = game.start()
    for move in moves.split():
        for action in _read(table, move):
            table = table.after(action)
    return table


def _read(table: HoldemTable, move: str) -> tuple[int, ...]:
    if table.turn == CHANCE:
        return parse_cards(move)
    if move[0] == "r":
        return (int(move[1:]) + 1,)
    return ({"f": FOLD, "c": CALL}[move],)


def _timid(table: HoldemTable, random: Random) -> Action:
    return CALL if table.to_call == 0 or random.random() < 0.7 else FOLD
