"""The inner loops of the traversal: a block of deals walks down the betting tree together, depth first.

Each node has a list of the deals that reached it. The traverser's decision sends all of them down every legal slot, the
other's sends each down one, drawn from its policy. The draw of a deal at a node depends only on the seed, the deal and
the node, not on the order of the walk.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tahur.core.arrays import Float32s, Int32s, Int64s
from tahur.core.kernels import inline_kernel, kernel, summing_kernel

Three = tuple[np.float32, np.float32, np.float32]
Legal = tuple[bool, bool, bool]

SHOWN = -2  # `turn` of a terminal with a showdown
SLOTS = 3
STEP = np.uint64(0x9E3779B97F4A7C15)  # SplitMix64 (Steele, Lea and Flood, 2014): a number for each deal and node
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
SHIFTS = np.uint64(30), np.uint64(27), np.uint64(40)
PART = np.float32(2.0**-24)
ZERO, ONE = np.float32(0), np.float32(1)


class BettingNodes(NamedTuple):
    """The betting tree, one entry per node, decisions first."""

    turn: NDArray[np.int8]
    street: NDArray[np.int8]
    children: Int32s  # (decisions, 3), -1 where a slot is not legal
    stake: Float32s  # what role 0 wins at a terminal
    walk: Int32s  # its number in a depth-first walk, from which its random numbers are made


class NetRows(NamedTuple):
    """The outputs of the nets for a block of deals."""

    factors: Float32s  # (decisions, 3, width): of the betting
    added: Float32s  # (decisions, 3)
    cards: Float32s  # (rows, width): of the cards
    rows: Int32s  # (2, streets, deals): the index of a role's cards among those rows
    signs: Float32s  # (deals,): showdown result for role 0
    even: NDArray[np.bool_]  # (2,): whether a role without positive regrets plays uniformly over legal actions


class WalkRoom(NamedTuple):
    """The scratch space of a walk, by depth in the tree and index in the list of deals at that depth."""

    node: Int32s  # (depths,)
    size: Int32s  # (depths,): number of deals there
    next: Int32s  # (depths,): the slot to walk next
    who: Int32s  # (depths, deals): which deals
    values: Float32s  # (depths, deals): the node's value to the traverser
    chosen: NDArray[np.int8]  # (depths, deals): the slot that was drawn
    policies: Float32s  # (depths, 3, deals): of the traverser
    below: Float32s  # (depths, 3, deals): the values of the slots


class FoundRegrets(NamedTuple):
    """The traverser's regrets: deal, decision, a regret for each slot; `total` of them so far."""

    deals: Int32s
    decisions: Int32s
    regrets: Float32s
    total: NDArray[np.int64]  # (1,)


@kernel
def walk(traverser: int, seed: int, nodes: BettingNodes, answers: NetRows, room: WalkRoom, found: FoundRegrets) -> None:
    """All deals, from the root. A loop and not a recursion: Numba cannot load recursive kernels from its cache."""
    depth = 0
    room.node[0], room.size[0] = 0, answers.signs.shape[0]
    room.next[0] = arrive(0, traverser, seed, nodes, answers, room)
    while depth >= 0:
        node, slot = room.node[depth], room.next[depth]
        drawn = nodes.turn[node] != traverser
        if slot == SLOTS:
            if not drawn:
                learn(depth, nodes, room, found)
            depth -= 1
            if depth >= 0:
                fetch(depth, nodes.turn[room.node[depth]] != traverser, room)
            continue
        room.next[depth] = slot + 1
        if nodes.children[node, slot] >= 0:
            going = send(depth, slot, drawn, room)
            if going > 0:
                depth += 1
                room.node[depth], room.size[depth] = nodes.children[node, slot], going
                room.next[depth] = arrive(depth, traverser, seed, nodes, answers, room)


@kernel
def arrive(depth: int, traverser: int, seed: int, nodes: BettingNodes, answers: NetRows, room: WalkRoom) -> int:
    """At a decision, compute each deal's policy; at a terminal, its payoff. Returns the first slot to walk."""
    turn = nodes.turn[room.node[depth]]
    if turn < 0:
        terminal_payoff(depth, traverser, nodes, answers, room)
        return SLOTS
    decide(depth, traverser, seed, nodes, answers, room)
    return 0


@kernel
def terminal_payoff(depth: int, traverser: int, nodes: BettingNodes, answers: NetRows, room: WalkRoom) -> None:
    """The traverser's payoff at a terminal."""
    node = room.node[depth]
    stake = nodes.stake[node] if traverser == 0 else -nodes.stake[node]
    shown = nodes.turn[node] == SHOWN
    for place in range(room.size[depth]):
        room.values[depth, place] = stake * answers.signs[room.who[depth, place]] if shown else stake


@kernel
def decide(depth: int, traverser: int, seed: int, nodes: BettingNodes, answers: NetRows, room: WalkRoom) -> None:
    """Each deal's policy: regret matching on the product of the two towers, two deals at a time."""
    node, size = room.node[depth], room.size[depth]
    role, street = nodes.turn[node], nodes.street[node]
    for place in range(0, size, 2):
        other = min(place + 1, size - 1)
        row, other_row = (
            answers.rows[role, street, room.who[depth, place]],
            answers.rows[role, street, room.who[depth, other]],
        )
        ours, others = products(answers.cards, row, other_row, answers.factors, node)
        apply_policy(depth, place, ours, role == traverser, seed, nodes, answers, room)
        apply_policy(depth, other, others, role == traverser, seed, nodes, answers, room)


@inline_kernel
def apply_policy(
    depth: int,
    place: int,
    product: Three,
    keeps: bool,
    seed: int,
    nodes: BettingNodes,
    answers: NetRows,
    room: WalkRoom,
) -> None:
    """The traverser stores its policy, to walk every slot; the other samples a slot from its own."""
    node = room.node[depth]
    even = answers.even[nodes.turn[node]]
    regrets = (
        product[0] + answers.added[node, 0],
        product[1] + answers.added[node, 1],
        product[2] + answers.added[node, 2],
    )
    legal = nodes.children[node, 0] >= 0, nodes.children[node, 1] >= 0, nodes.children[node, 2] >= 0
    policy = match(regrets, legal, even)
    if keeps:
        for slot in range(SLOTS):
            room.policies[depth, slot, place] = policy[slot]
    else:
        number = chance(seed, room.who[depth, place] * len(nodes.turn) + nodes.walk[node])
        room.chosen[depth, place] = taken(policy, number)


@summing_kernel
def products(cards: Float32s, row: int, other: int, factors: Float32s, decision: int) -> tuple[Three, Three]:
    """Two card rows times the three rows of a decision, which are loaded once for both."""
    fold = call = up = other_fold = other_call = other_up = np.float32(0)
    for at in range(cards.shape[1]):
        card, other_card = cards[row, at], cards[other, at]
        to_fold, to_call, to_up = factors[decision, 0, at], factors[decision, 1, at], factors[decision, 2, at]
        fold += card * to_fold
        call += card * to_call
        up += card * to_up
        other_fold += other_card * to_fold
        other_call += other_card * to_call
        other_up += other_card * to_up
    return (fold, call, up), (other_fold, other_call, other_up)


@inline_kernel
def match(regrets: Three, legal: Legal, even: bool) -> Three:
    """Probabilities from regrets: the least bad legal slot, or uniform, if no regret is positive.

    There are no branches, here and below: regrets are unpredictable, and a misprediction costs more than the sums.
    """
    fold = max(regrets[0], ZERO) if legal[0] else ZERO
    call = max(regrets[1], ZERO) if legal[1] else ZERO
    up = max(regrets[2], ZERO) if legal[2] else ZERO
    total = fold + call + up
    some = total > 0
    share = ONE / (total if some else ONE)
    spare = fall_back(regrets, legal, even)
    return fold * share if some else spare[0], call * share if some else spare[1], up * share if some else spare[2]


@inline_kernel
def fall_back(regrets: Three, legal: Legal, even: bool) -> Three:
    """The strategy where no regret is positive; among equally good slots, the first."""
    alike = ONE / max(np.float32(legal[0]) + np.float32(legal[1]) + np.float32(legal[2]), ONE)
    fold_wins = legal[0] and not (legal[1] and regrets[1] > regrets[0]) and not (legal[2] and regrets[2] > regrets[0])
    call_wins = legal[1] and not fold_wins and not (legal[2] and regrets[2] > regrets[1])
    up_wins = legal[2] and not fold_wins and not call_wins
    return (
        alike * np.float32(legal[0]) if even else np.float32(fold_wins),
        alike * np.float32(legal[1]) if even else np.float32(call_wins),
        alike * np.float32(legal[2]) if even else np.float32(up_wins),
    )


@inline_kernel
def taken(policy: Three, number: np.float32) -> int:
    """The slot that a number from 0 to 1 selects; if rounding leaves a remainder, the last slot with positive
    probability."""
    after_fold = number - policy[0]
    after_call = after_fold - policy[1]
    last = 2 if policy[2] > 0 else 1 if policy[1] > 0 else 0
    return 0 if after_fold < 0 else 1 if after_call < 0 else last


@inline_kernel
def chance(seed: int, number: int) -> np.float32:
    """A pseudo-random number from 0 to 1 for each seed and number."""
    mixed = np.uint64(seed) + np.uint64(number + 1) * STEP
    mixed = (mixed ^ (mixed >> SHIFTS[0])) * FIRST
    mixed = (mixed ^ (mixed >> SHIFTS[1])) * SECOND
    return np.float32(mixed >> SHIFTS[2]) * PART


@kernel
def send(depth: int, slot: int, drawn: bool, room: WalkRoom) -> int:
    """List the deals that go down a slot one level deeper: all of them, or those that drew it. Returns their number."""
    if not drawn:
        for place in range(room.size[depth]):
            room.who[depth + 1, place] = room.who[depth, place]
        return room.size[depth]
    going = 0
    for place in range(room.size[depth]):
        room.who[depth + 1, going] = room.who[depth, place]
        going += room.chosen[depth, place] == slot
    return going


@kernel
def fetch(depth: int, drawn: bool, room: WalkRoom) -> None:
    """Collect the values of the deals that went down the last slot."""
    slot = room.next[depth] - 1
    if not drawn:
        for place in range(room.size[depth]):
            room.below[depth, slot, place] = room.values[depth + 1, place]
        return
    back = 0
    for place in range(room.size[depth]):
        went, found = room.chosen[depth, place] == slot, room.values[depth + 1, back]
        room.values[depth, place] = found if went else room.values[depth, place]
        back += went


@kernel
def learn(depth: int, nodes: BettingNodes, room: WalkRoom, found: FoundRegrets) -> None:
    """The value of a decision of the traverser, and its regrets; 0 for illegal slots."""
    node, count, start = room.node[depth], room.size[depth], found.total[0]
    for place in range(count):
        room.values[depth, place] = 0
        found.deals[start + place] = room.who[depth, place]
        found.decisions[start + place] = node
    for slot in range(SLOTS):
        if nodes.children[node, slot] >= 0:
            for place in range(count):
                room.values[depth, place] = passed_up(
                    room.values[depth, place], room.policies[depth, slot, place], room.below[depth, slot, place]
                )
    for slot in range(SLOTS):
        legal = nodes.children[node, slot] >= 0
        for place in range(count):
            found.regrets[start + place, slot] = (
                room.below[depth, slot, place] - room.values[depth, place] if legal else ZERO
            )
    found.total[0] = start + count


@kernel
def passed_up(so_far: np.float32, chance: np.float32, value: np.float32) -> np.float32:
    """One term of the value of a decision of the traverser: its actions' values weighted by its policy."""
    return so_far + chance * value


@kernel
def add_ones(rows: Float32s, bias: Float32s, columns: Float32s, ones: Int64s, used: int) -> None:
    """The first layer of inputs with a few ones that are not in its products yet, with ReLU: (n, width).

    columns: (inputs, width), ones: (n, cards), of which the first `used` are present.
    """
    for row in range(rows.shape[0]):
        for at in range(rows.shape[1]):
            rows[row, at] += bias[at]
        for card in range(used):
            one = ones[row, card]
            for at in range(rows.shape[1]):
                rows[row, at] += columns[one, at]
        for at in range(rows.shape[1]):
            rows[row, at] = max(rows[row, at], ZERO)


@kernel
def bend(rows: Float32s, bias: Float32s, out: Float32s) -> None:
    """Bias and ReLU of a layer: (n, width)."""
    for row in range(rows.shape[0]):
        for at in range(rows.shape[1]):
            out[row, at] = max(rows[row, at] + bias[at], ZERO)


@kernel
def average_policies(
    regrets: NDArray[np.float32],
    legal: NDArray[np.bool_],
    even: bool,
    start: NDArray[np.float32],
    above: Int64s,
    slots: Int64s,
    reach: NDArray[np.float32],
    mean: NDArray[np.float64],
) -> None:
    """Regret matching of each net and the average of all nets by their reach, for a batch of decisions.

    regrets: (nets, hands, decisions, 3), replaced by the policies; legal: (decisions, 3); start: (nets, hands);
    above, slots: (decisions,), the decision and the action that lead to each, -1: `start`; reach: (nets, hands,
    decisions) and mean: (hands, decisions, 3) are written. Plain twin: `core.towers.policy_of` and `einsum`.
    """
    nets, hands, decisions, _ = regrets.shape
    for net in range(nets):
        for hand in range(hands):
            for place in range(decisions):
                _match(regrets[net, hand, place], legal[place], even)
                own = start[net, hand]
                if above[place] >= 0:
                    own = reach[net, hand, above[place]] * regrets[net, hand, above[place], slots[place]]
                reach[net, hand, place] = own
                for slot in range(SLOTS):
                    mean[hand, place, slot] += own * regrets[net, hand, place, slot]
    for hand in range(hands):
        for place in range(decisions):
            _normalise(mean[hand, place], legal[place])


@inline_kernel
def _match(regrets: Float32s, legal: NDArray[np.bool_], even: bool) -> None:
    """Regrets to probabilities, in place; where no legal regret is positive, the least bad action or uniform."""
    total, best = ZERO, -1
    for slot in range(SLOTS):
        if legal[slot]:
            total += max(regrets[slot], ZERO)
            if best < 0 or regrets[slot] > regrets[best]:
                best = slot
    for slot in range(SLOTS):
        if not legal[slot]:
            regrets[slot] = ZERO
        elif total > ZERO:
            regrets[slot] = max(regrets[slot], ZERO) / total
        else:
            regrets[slot] = ONE if even or slot == best else ZERO
    if even and total <= ZERO:
        _normalise(regrets, legal)


@inline_kernel
def _normalise(row: Float32s, legal: NDArray[np.bool_]) -> None:
    """Normalise a row to a sum of one; a zero row becomes uniform over legal actions."""
    total, count = ZERO * row[0], 0
    for slot in range(SLOTS):
        total += row[slot]
        count += legal[slot]
    for slot in range(SLOTS):
        if total > 0:
            row[slot] /= total
        else:
            row[slot] = legal[slot] / count
