"""PHH, the poker hand history format: reading and writing one hand as TOML text.

A `Phh` is the content of the text; `replay` checks whether the hand can have been played. p1 sits left of the button
and the last player has it. Between two players the forced bets are still listed small before big, although p1 posts the
big one. Amounts in the text may have decimals. Here they are whole chips: `scale` of them are 1 in the text, where
`scale` is the smallest power of ten that leaves no fraction in the hand.

A `.phhs` file is several hands, each under a header such as `[1]`. The format: https://phh.readthedocs.io
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, time
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Any, Final

from tahur.core.errors import RecordError
from tahur.core.limits import parse_toml

DEALER: Final = -1
AS_DEALT: Final = "-"  # the cards given when they were dealt
UNKNOWN_CARD: Final = "??"

Chips = tuple[int, ...]  # one number per player
Number = int | Decimal

_MOST: Final = 10**15  # more chips than this are taken for a typing error
_MOST_DIGITS: Final = 28  # up to which a Decimal is exact


class Variant(StrEnum):
    """The games of the format that are supported."""

    NO_LIMIT = "NT"
    FIXED_LIMIT = "FT"


class Verb(StrEnum):
    """The verbs of the format."""

    HOLE = "dh"
    BOARD = "db"
    FOLD = "f"
    CALL = "cc"  # a check if nothing is owed
    RAISE = "cbr"  # a bet if there was none
    SHOW = "sm"  # a muck if no cards are given
    NOTE = "#"  # only a comment


@dataclass(frozen=True, slots=True)
class PhhAction:
    """One action of a hand: `p3 cbr 200` is PhhAction(Verb.RAISE, 2, chips=200)."""

    verb: Verb
    player: int = DEALER  # p1 is 0
    cards: str = ""
    chips: int = 0  # the total of a raise
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Phh:
    """One hand, its amounts in whole chips. `fields` are all other fields, as parsed from TOML."""

    variant: Variant
    antes: Chips
    blinds: Chips  # including straddles and late posts
    bets: Chips  # the minimum bet; in fixed limit the small and the big bet
    stacks: Chips
    steps: tuple[PhhAction, ...]
    finishing_stacks: Chips | None = None
    winnings: Chips | None = None  # collected from the pots
    scale: int = 1
    fields: Mapping[str, Any] = field(default_factory=dict)


_BETS: Final = {Variant.NO_LIMIT: ("min_bet",), Variant.FIXED_LIMIT: ("small_bet", "big_bet")}
_HEADER: Final = re.compile(
    r"""^[ \t]*\[[ \t]*(?:[\w-]+|'[^'\n]*'|"[^"\n]*")[ \t]*\][ \t\r]*(?:\#.*)?$""", re.MULTILINE
)
_COMMENT: Final = re.compile(r"#.*")
_SIMPLE_LINE: Final = re.compile(r"""([A-Za-z0-9_-]+) = ([^"\\{\#\x7f]*)""")
_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is valid JSON but not TOML")


_SIMPLE_VALUE: Final = json.JSONDecoder(parse_float=Decimal, parse_constant=_no_constant)


def split_hands(text: str) -> list[str]:
    """The text of each hand in a file, split before parsing so that one invalid hand does not affect the others."""
    headers = list(_HEADER.finditer(text))
    if not headers or "=" in _COMMENT.sub("", text[: headers[0].start()]):
        return [text]
    ends = [header.start() for header in headers[1:]] + [len(text)]
    return [text[header.end() : end] for header, end in zip(headers, ends, strict=True)]


def read_phh(text: str) -> Phh:
    """Parse a hand; a `RecordError` says what is wrong with it."""
    fields = _toml(text)
    variant = _variant(_take_field(fields, "variant"))
    stacks = _numbers("starting_stacks", _take_field(fields, "starting_stacks"))
    count = len(stacks)
    antes = _one_each("antes", _take_field(fields, "antes"), count)
    blinds = _one_each("blinds_or_straddles", _take_field(fields, "blinds_or_straddles"), count)
    bets = tuple([_number(name, _take_field(fields, name)) for name in _BETS[variant]])
    actions = _texts("actions", _take_field(fields, "actions"))
    ends = _take_amounts(fields, "finishing_stacks", count)
    winnings = _take_amounts(fields, "winnings", count)
    raises = [_raise_amount(action) for action in actions]
    scale = _scale_of([*stacks, *antes, *blinds, *bets, *raises, *(ends or ()), *(winnings or ())])
    return Phh(
        variant=variant,
        antes=_chips(antes, scale),
        blinds=_chips(blinds, scale),
        bets=_chips(bets, scale),
        stacks=_chips(stacks, scale),
        steps=tuple([_parse_action(action, count, scale) for action in actions]),
        finishing_stacks=None if ends is None else _chips(ends, scale),
        winnings=None if winnings is None else _chips(winnings, scale),
        scale=scale,
        fields=fields,
    )


def write_phh(phh: Phh) -> str:
    """The text that `read_phh` reads back."""
    scale = phh.scale
    bets = zip(_BETS[phh.variant], phh.bets, strict=True)
    lines = [
        f"variant = '{phh.variant}'",
        f"antes = {_amounts(phh.antes, scale)}",
        f"blinds_or_straddles = {_amounts(phh.blinds, scale)}",
        *(f"{name} = {amount_text(chips, scale)}" for name, chips in bets),
        f"starting_stacks = {_amounts(phh.stacks, scale)}",
        "actions = [",
        *(f"  {_toml_text(step_text(step, scale))}," for step in phh.steps),
        "]",
    ]
    if phh.finishing_stacks is not None:
        lines.append(f"finishing_stacks = {_amounts(phh.finishing_stacks, scale)}")
    if phh.winnings is not None:
        lines.append(f"winnings = {_amounts(phh.winnings, scale)}")
    lines += [f"{_toml_key(name)} = {_toml_value(value)}" for name, value in phh.fields.items()]
    return "\n".join(lines) + "\n"


def join_hands(texts: Sequence[str]) -> str:
    """One hand unchanged, as in a `.phh` file; several under headers, as in a `.phhs` file."""
    if len(texts) == 1:
        return texts[0]
    return "\n".join(numbered(text, number) for number, text in enumerate(texts, start=1))


def numbered(text: str, number: int) -> str:
    """A hand under its header, as in a `.phhs` file."""
    return f"[{number}]\n{text}"


def step_text(step: PhhAction, scale: int = 1) -> str:
    """`p3 cbr 200`, with its comment if it has one."""
    words = [f"p{step.player + 1}", str(step.verb)]
    match step.verb:
        case Verb.NOTE:
            words = []
        case Verb.HOLE:
            words = ["d", step.verb, words[0], step.cards]
        case Verb.BOARD:
            words = ["d", step.verb, step.cards]
        case Verb.RAISE:
            words.append(amount_text(step.chips, scale))
        case Verb.SHOW if step.cards:
            words.append(step.cards)
        case _:
            pass
    return " ".join([*words, f"# {step.comment}"] if step.comment else words)


def amount_text(chips: int, scale: int) -> str:
    """Chips in the units of the text: 1250 with a scale of 100 is `12.50`."""
    if scale == 1:
        return str(chips)
    whole, rest = divmod(abs(chips), scale)
    return f"{'-' if chips < 0 else ''}{whole}.{rest:0{len(str(scale)) - 1}}"


def _toml(text: str) -> dict[str, Any]:
    simple = _simple_toml(text)
    if simple is not None:
        return simple
    try:
        return parse_toml(text, parse_float=Decimal)
    except (ValueError, ArithmeticError) as error:
        raise RecordError(f"not TOML: {error or type(error).__name__}") from None


def _simple_toml(text: str) -> dict[str, Any] | None:
    """The fields of a text in the usual shape: one per line, only numbers, plain strings and lists. None for others.

    Such a value is JSON except for its quotes, and JSON is parsed five times as fast as TOML.
    """
    fields: dict[str, Any] = {}
    for line in text.split("\n"):
        if not line:
            continue
        match = _SIMPLE_LINE.fullmatch(line)
        if match is None or match[1] in fields or "null" in match[2]:
            return None
        try:
            fields[match[1]] = _SIMPLE_VALUE.decode(match[2].replace("'", '"'))
        except ValueError:
            return None
    return fields


def _take_field(fields: dict[str, Any], name: str) -> Any:
    if name not in fields:
        raise RecordError(f"no field '{name}'")
    return fields.pop(name)


def _take_amounts(fields: dict[str, Any], name: str, count: int) -> tuple[Number, ...] | None:
    """Take a field that has a number for each player, if it is there."""
    if name not in fields:
        return None
    numbers = _numbers(name, fields.pop(name))
    if len(numbers) != count:
        raise RecordError(f"{name} has {len(numbers)} numbers for {count} players")
    return numbers


def _variant(value: Any) -> Variant:
    try:
        return Variant(value)
    except ValueError:
        raise RecordError(f"variant {value!r}; supported: NT (no-limit hold'em) and FT (fixed limit)") from None


def _number(name: str, value: Any) -> Number:
    """A number of chips from a file: an int, or a finite decimal of limited size; `name` is the field, for errors."""
    if type(value) is int:
        if -_MOST < value < _MOST:
            return value
        value = Decimal(value)
    if not isinstance(value, Decimal) or not value.is_finite():
        raise RecordError(f"{name} has {_short(value)}; a number of chips was expected")
    _, digits, exponent = value.as_tuple()
    if not -_MOST < value < _MOST or len(digits) > _MOST_DIGITS or int(exponent) < -_MOST_DIGITS:
        raise RecordError(f"{name} has {_short(value)}; that is too large or too fine for chips")
    return value


def _numbers(name: str, values: Any) -> tuple[Number, ...]:
    if not isinstance(values, list):
        raise RecordError(f"{name} is {_short(values)}; a list of numbers was expected")
    return tuple([_number(name, value) for value in values])


def _one_each(name: str, values: Any, count: int) -> tuple[Number, ...]:
    """One number per player: a single number applies to all, missing ones are 0."""
    if not isinstance(values, list):
        return (_number(name, values),) * count
    if len(values) > count:
        raise RecordError(f"{name} has {len(values)} numbers for {count} players")
    return _numbers(name, values) + (0,) * (count - len(values))


def _texts(name: str, values: Any) -> list[str]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise RecordError(f"{name} is {_short(values)}; a list of texts was expected")
    return values


def _scale_of(numbers: Iterable[Number]) -> int:
    """The power of ten that makes all amounts whole numbers."""
    decimals = 0
    for number in numbers:
        if isinstance(number, Decimal):
            exponent = number.normalize().as_tuple().exponent
            decimals = max(decimals, -exponent if isinstance(exponent, int) else 0)
    return int(10**decimals)


def _chips(numbers: Iterable[Number], scale: int) -> Chips:
    return tuple([int(number * scale) for number in numbers])


def _raise_amount(action: str) -> Number:
    words = action.partition("#")[0].split()
    return _parse_amount(words[2]) if len(words) == 3 and words[1] == Verb.RAISE else 0


def _parse_amount(text: str) -> Number:
    """A number inside an action; it may have commas between thousands."""
    digits = text.replace(",", "")
    try:
        number = int(digits) if digits.isdecimal() else Decimal(digits)
    except (InvalidOperation, ValueError):
        raise RecordError(f"'{_short(text)}' is not a number of chips") from None
    return _number("an action", number)


def _parse_action(action: str, count: int, scale: int) -> PhhAction:
    """One action of a PHH file. `count`: the number of players; `scale`: chips per unit of money."""
    words, _, comment = action.partition("#")
    comment = comment.strip()
    match words.split():
        case ["d", "dh", player, cards]:
            return PhhAction(Verb.HOLE, _player(player, count), cards, comment=comment)
        case ["d", "db", cards]:
            return PhhAction(Verb.BOARD, cards=cards, comment=comment)
        case [player, "f"]:
            return PhhAction(Verb.FOLD, _player(player, count), comment=comment)
        case [player, "cc"]:
            return PhhAction(Verb.CALL, _player(player, count), comment=comment)
        case [player, "cbr", amount]:
            return PhhAction(
                Verb.RAISE, _player(player, count), chips=int(_parse_amount(amount) * scale), comment=comment
            )
        case [player, "sm", *cards] if len(cards) < 2:
            return PhhAction(Verb.SHOW, _player(player, count), "".join(cards), comment=comment)
        case []:
            return PhhAction(Verb.NOTE, comment=comment)
        case _:
            raise RecordError(f"'{_short(action)}' is not an action; valid: d dh, d db, and a player's f, cc, cbr, sm")


def _player(text: str, count: int) -> int:
    if text[0] == "p" and text[1:].isdecimal() and 1 <= int(text[1:]) <= count:
        return int(text[1:]) - 1
    raise RecordError(f"'{_short(text)}' is not a player; valid: p1 to p{count}")


def _amounts(chips: Iterable[int], scale: int) -> str:
    return f"[{', '.join(amount_text(amount, scale) for amount in chips)}]"


def _toml_value(value: Any) -> str:
    """A value as TOML text."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return _toml_text(value)
        case Decimal() if not value.is_finite():
            return str(value).lower().replace("infinity", "inf")
        case date() | time():
            return value.isoformat()
        case list() | tuple():
            return f"[{', '.join(map(_toml_value, value))}]"
        case dict():
            return f"{{{', '.join(f'{_toml_key(name)} = {_toml_value(item)}' for name, item in value.items())}}}"
        case _:
            return str(value)


def _toml_key(name: str) -> str:
    return name if _BARE_KEY.fullmatch(name) else _quote(name)


def _toml_text(text: str) -> str:
    """The text in single quotes where possible, which is easier to read."""
    return f"'{text}'" if text.isprintable() and "'" not in text else _quote(text)


def _quote(text: str) -> str:
    sound = text.encode("utf-8", "replace").decode()  # a lone surrogate, which JSON allows, cannot be encoded
    return json.dumps(sound, ensure_ascii=False).replace("\x7f", "\\u007f")


def _short(value: Any, most: int = 40) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= most else text[: most - 1] + "…"
