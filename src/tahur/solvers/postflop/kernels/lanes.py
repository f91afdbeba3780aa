"""Eight float32 numbers that the processor adds, multiplies or chooses among in one go; or eight float64 to add up in.

Numba turns a loop into such instructions only if it can prove that no two arrays overlap, which it cannot. So the eight
numbers are a type of their own here: `load` and `store` move them, operators work lane by lane, and `transpose` turns
eight rows of eight into columns. Places in arrays are of flat float32 arrays.
"""

# mypy: disable-error-code="untyped-decorator"
from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, models, overload, register_model

LANES = 8
_VECTOR = ir.VectorType(ir.FloatType(), LANES)
_WIDE_VECTOR = ir.VectorType(ir.DoubleType(), LANES)
_INDEX = ir.IntType(32)
_FLAGS = ("contract",)


class LanesType(types.Type):  # type: ignore[misc]
    """Numba's name for eight float32 numbers."""

    def __init__(self) -> None:
        super().__init__(name="Lanes")


class WideType(types.Type):  # type: ignore[misc]
    """Numba's name for eight float64 numbers."""

    def __init__(self) -> None:
        super().__init__(name="Wide")


_LANES = LanesType()
_WIDE = WideType()


@register_model(LanesType)
class _LanesModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, lanes: Any) -> None:
        super().__init__(manager, lanes, _VECTOR)


@register_model(WideType)
class _WideModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, wide: Any) -> None:
        super().__init__(manager, wide, _WIDE_VECTOR)


def _pointer(context: Any, builder: Any, array_type: Any, array: Any, place: Any) -> Any:
    start = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(start, [place]), _VECTOR.as_pointer())


def _load(builder: Any, pointer: Any) -> Any:
    loaded = builder.load(pointer)
    loaded.align = 4
    return loaded


def _store(builder: Any, value: Any, pointer: Any) -> None:
    builder.store(value, pointer).align = 4


@intrinsic
def load(_typing: Any, array: Any, place: Any) -> Any:
    """The eight numbers from `place` on."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return _load(builder, _pointer(context, builder, signature.args[0], given[0], given[1]))

    return _LANES(array, types.intp), generate


@intrinsic
def store(_typing: Any, array: Any, place: Any, value: Any) -> Any:
    """Put eight numbers from `place` on."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        _store(builder, given[2], _pointer(context, builder, signature.args[0], given[0], given[1]))
        return context.get_dummy_value()

    return types.void(array, types.intp, _LANES), generate


@intrinsic
def splat(_typing: Any, number: Any) -> Any:
    """The same number eight times."""

    def generate(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        return _splat(builder, given[0])

    return _LANES(types.float32), generate


def _splat(builder: Any, number: Any) -> Any:
    nothing = ir.Constant(_VECTOR, ir.Undefined)
    first = builder.insert_element(nothing, number, ir.Constant(_INDEX, 0))
    return builder.shuffle_vector(first, nothing, _mask([0] * LANES))


def _mask(places: list[int]) -> Any:
    return ir.Constant(ir.VectorType(_INDEX, LANES), places)


def _operator(python: Callable[..., object], instruction: str) -> None:
    @intrinsic
    def both(_typing: Any, left: Any, right: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
            return getattr(builder, instruction)(*given, flags=_FLAGS)

        return left(left, right), generate

    @overload(python, strict=False)  # the names have types here and none in the lambda
    def _meaning(left: Any, right: Any) -> Any:
        if left == right and left in (_LANES, _WIDE):
            return lambda left, right: both(left, right)
        return None


for _python, _instruction in (
    (operator.add, "fadd"),
    (operator.sub, "fsub"),
    (operator.mul, "fmul"),
    (operator.truediv, "fdiv"),
):
    _operator(_python, _instruction)


@intrinsic
def widen(_typing: Any, lanes: Any) -> Any:
    """The same numbers as float64."""

    def generate(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        return builder.fpext(given[0], _WIDE_VECTOR)

    return _WIDE(_LANES), generate


@intrinsic
def narrow(_typing: Any, wide: Any) -> Any:
    """The same numbers as float32."""

    def generate(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        return builder.fptrunc(given[0], _VECTOR)

    return _LANES(_WIDE), generate


@intrinsic
def where_positive(_typing: Any, tested: Any, then: Any, otherwise: Any) -> Any:
    """Lane by lane: `then` where `tested` is above 0, else `otherwise`."""

    def generate(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        above = builder.fcmp_ordered(">", given[0], ir.Constant(_VECTOR, [0.0] * LANES))
        return builder.select(above, given[1], given[2])

    return _LANES(_LANES, _LANES, _LANES), generate


@intrinsic
def greatest(_typing: Any, left: Any, right: Any) -> Any:
    """Lane by lane, the greater one."""

    def generate(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        return builder.select(builder.fcmp_ordered(">", given[0], given[1]), given[0], given[1])

    return _LANES(_LANES, _LANES), generate


@intrinsic
def any_positive(_typing: Any, tested: Any) -> Any:
    """Whether any lane is above 0."""

    def generate(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        above = builder.fcmp_ordered(">", given[0], ir.Constant(_VECTOR, [0.0] * LANES))
        bits = builder.bitcast(above, ir.IntType(LANES))
        return builder.icmp_unsigned("!=", bits, ir.Constant(ir.IntType(LANES), 0))

    return types.boolean(_LANES), generate


_PAIRS = ([0, 8, 1, 9, 4, 12, 5, 13], [2, 10, 3, 11, 6, 14, 7, 15])
_QUADS = ([0, 1, 8, 9, 4, 5, 12, 13], [2, 3, 10, 11, 6, 7, 14, 15])
_HALVES = ([0, 1, 2, 3, 8, 9, 10, 11], [4, 5, 6, 7, 12, 13, 14, 15])


def _transposed(builder: Any, rows: list[Any]) -> list[Any]:
    def mixed(left: Any, right: Any, masks: tuple[list[int], list[int]]) -> list[Any]:
        return [builder.shuffle_vector(left, right, _mask(mask)) for mask in masks]

    pairs = [mixed(rows[2 * k], rows[2 * k + 1], _PAIRS) for k in range(4)]
    low = [mixed(pairs[0][k], pairs[1][k], _QUADS) for k in range(2)]
    high = [mixed(pairs[2][k], pairs[3][k], _QUADS) for k in range(2)]
    columns = [mixed(low[k // 2][k % 2], high[k // 2][k % 2], _HALVES) for k in range(4)]
    return [columns[k][0] for k in range(4)] + [columns[k][1] for k in range(4)]


@intrinsic
def transpose(_typing: Any, source: Any, rows: Any, along: Any, target: Any, place: Any, stride: Any) -> Any:
    """Eight numbers of each of eight rows of `source`, `along` each row's start, become rows of `target`.

    rows: int64 starts; row k of the result begins at place + k * stride.
    """

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        starts = context.make_array(signature.args[1])(context, builder, given[1]).data
        places = [builder.load(builder.gep(starts, [ir.Constant(ir.IntType(64), k)])) for k in range(LANES)]
        loaded = [
            _load(builder, _pointer(context, builder, signature.args[0], given[0], builder.add(start, given[2])))
            for start in places
        ]
        at = given[4]
        for column in _transposed(builder, loaded):
            _store(builder, column, _pointer(context, builder, signature.args[3], given[3], at))
            at = builder.add(at, given[5])
        return context.get_dummy_value()

    return types.void(source, rows, types.intp, target, types.intp, types.intp), generate
