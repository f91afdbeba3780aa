"""Validation of settings from JSON or from a person: nothing is rounded, truncated or guessed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tahur.core.errors import SettingError


def whole_numbers(name: str, values: Any) -> tuple[int, ...]:
    """A setting that is a list of whole numbers."""
    if not isinstance(values, Sequence) or not all(type(value) is int for value in values):
        raise SettingError(f"{name} {values!r}; a list of whole numbers, such as [200, 200], was expected")
    return tuple(values)


def two_numbers(name: str, values: Any) -> tuple[int, int]:
    """A setting that is two whole numbers."""
    numbers = whole_numbers(name, values)
    if len(numbers) != 2:
        raise SettingError(f"{name} {values!r}; two whole numbers, such as [1, 2], were expected")
    return numbers[0], numbers[1]


def whole_number(name: str, value: Any) -> int:
    """A setting that is one whole number."""
    if type(value) is not int:
        raise SettingError(f"{name} {value!r}; a whole number was expected")
    return value


def yes_or_no(name: str, value: Any) -> bool:
    """A setting that is true or false."""
    if type(value) is not bool:
        raise SettingError(f"{name} {value!r}; true or false was expected")
    return value


def stacks_of(stacks: Any, seats: Any, stack: Any, *, usual: tuple[int, int]) -> tuple[int, ...]:
    """The stacks as given, or one stack for each of `seats`; `usual` are the default seats and stack."""
    if stacks is None:
        same = whole_number("stack", usual[1] if stack is None else stack)
        return (same,) * whole_number("seats", usual[0] if seats is None else seats)
    if seats is not None or stack is not None:
        raise SettingError("give either stacks, one for each seat, or seats and one stack for all of them")
    return whole_numbers("stacks", stacks)
