"""SIMD vectors of eight or sixteen lanes for Numba kernels.

Numba vectorises a loop only if it can prove that no two arrays overlap, which it usually cannot. So vectors are Numba
types here: `load` and `store` move eight numbers, `load16` and `store16` sixteen, operators work lane by lane, `widen`
converts to float64 for sums, and `transpose` turns eight rows of eight into columns. `load_part` and `store_part` move
fewer than eight, for the end of a row. Offsets are into flat arrays of float32 or, for vectors of eight, of float64;
`load` also reads, and `store_rounded` writes, 16-bit arrays.
"""

# mypy: disable-error-code="untyped-decorator"
from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, overload, register_model

LANES = 8  # of a vector, unless its name says sixteen
_INDEX = ir.IntType(32)
_FLAGS = ("contract",)
_HALFWAY = 1.5 * 2.0**23  # adding and then subtracting it rounds to whole numbers


class LanesType(types.Type):  # type: ignore[misc]
    """The Numba type of a vector of floats."""

    def __init__(self, lanes: int, *, wide: bool = False) -> None:
        self.vector = ir.VectorType(ir.DoubleType() if wide else ir.FloatType(), lanes)
        super().__init__(name=f"Lanes({lanes}, wide={wide})")


@register_model(LanesType)
class _LanesModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, lanes: LanesType) -> None:
        super().__init__(manager, lanes, lanes.vector)


_EIGHT = LanesType(8)
_EIGHT_WIDE = LanesType(8, wide=True)
_SIXTEEN = LanesType(16)
_WIDE = LanesType(16, wide=True)


def _eight_of(number: Any) -> LanesType:
    """The vector of eight numbers of a type; float32 for all but float64."""
    return _EIGHT_WIDE if number == types.float64 else _EIGHT


def _pointer(context: Any, builder: Any, array_type: Any, array: Any, offset: Any, lanes: LanesType) -> Any:
    start = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(start, [offset]), lanes.vector.as_pointer())


def _load(builder: Any, pointer: Any) -> Any:
    loaded = builder.load(pointer)
    loaded.align = 4
    return loaded


def _first_lanes(builder: Any, lanes: LanesType, count: Any) -> Any:
    """A mask of the first `count` lanes."""
    index = ir.VectorType(ir.IntType(32), lanes.vector.count)
    one = builder.insert_element(
        ir.Constant(index, ir.Undefined), builder.trunc(count, ir.IntType(32)), ir.Constant(_INDEX, 0)
    )
    counts = builder.shuffle_vector(one, ir.Constant(index, ir.Undefined), _mask([0] * lanes.vector.count))
    return builder.icmp_signed("<", _mask(list(range(lanes.vector.count))), counts)


def _store(builder: Any, value: Any, pointer: Any) -> None:
    builder.store(value, pointer).align = 4


def _loader(lanes: LanesType, array: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        if isinstance(array.dtype, types.Integer):
            return _load_whole(context, builder, signature.args[0], given, lanes)
        return _load(builder, _pointer(context, builder, signature.args[0], given[0], given[1], lanes))

    return lanes(array, types.intp), generate


def _load_whole(context: Any, builder: Any, array: Any, given: Any, lanes: LanesType) -> Any:
    """Load 16-bit numbers as float32."""
    count = lanes.vector.count
    start = context.make_array(array)(context, builder, given[0]).data
    pointer = builder.bitcast(builder.gep(start, [given[1]]), ir.VectorType(ir.IntType(16), count).as_pointer())
    loaded = builder.load(pointer)
    loaded.align = 2
    longer = ir.VectorType(ir.IntType(32), count)
    wide = builder.sext(loaded, longer) if array.dtype.signed else builder.zext(loaded, longer)
    return builder.sitofp(wide, lanes.vector)


def _storer(lanes: LanesType, array: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        _store(builder, given[2], _pointer(context, builder, signature.args[0], given[0], given[1], lanes))
        return context.get_dummy_value()

    return types.void(array, types.intp, lanes), generate


def _splatter(lanes: LanesType) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        nothing = ir.Constant(lanes.vector, ir.Undefined)
        first = builder.insert_element(nothing, given[0], ir.Constant(_INDEX, 0))
        return builder.shuffle_vector(first, nothing, _mask([0] * lanes.vector.count))

    return lanes(types.float64 if lanes is _EIGHT_WIDE else types.float32), generate


def _mask(places: list[int]) -> Any:
    return ir.Constant(ir.VectorType(_INDEX, len(places)), places)


@intrinsic
def load(_typing: Any, array: Any, offset: Any) -> Any:
    """The eight numbers from `offset` on."""
    return _loader(_eight_of(array.dtype), array)


@intrinsic
def load16(_typing: Any, array: Any, offset: Any) -> Any:
    """The sixteen numbers from `offset` on."""
    return _loader(_SIXTEEN, array)


@intrinsic
def store(_typing: Any, array: Any, offset: Any, value: Any) -> Any:
    """Store eight numbers from `offset` on."""
    return _storer(_eight_of(array.dtype), array)


@intrinsic
def load_part(_typing: Any, array: Any, offset: Any, count: Any) -> Any:
    """As `load`, but only the first `count` numbers if they are fewer than eight; the other lanes are 0."""
    lanes = _eight_of(array.dtype)

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        pointer = _pointer(context, builder, signature.args[0], given[0], given[1], lanes)
        mask = _first_lanes(builder, lanes, given[2])
        align, none = ir.Constant(_INDEX, 4), ir.Constant(lanes.vector, [0.0] * lanes.vector.count)
        kind = ir.FunctionType(lanes.vector, [pointer.type, _INDEX, mask.type, lanes.vector])
        name = f"llvm.masked.load.v{lanes.vector.count}{'f64' if lanes is _EIGHT_WIDE else 'f32'}.p0"
        masked = cgutils.get_or_insert_function(builder.module, kind, name)
        return builder.call(masked, [pointer, align, mask, none])

    return lanes(array, types.intp, types.intp), generate


@intrinsic
def store_part(_typing: Any, array: Any, offset: Any, value: Any, count: Any) -> Any:
    """As `store`, but only the first `count` numbers if they are fewer than eight.

    Four, two and one are stored separately: masked stores are several times as slow on some processors.
    """
    lanes = _eight_of(array.dtype)

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        start = builder.gep(context.make_array(signature.args[0])(context, builder, given[0]).data, [given[1]])
        with builder.if_else(builder.icmp_signed(">=", given[3], ir.Constant(given[3].type, 8))) as (whole, part):
            with whole:
                _store(builder, given[2], builder.bitcast(start, lanes.vector.as_pointer()))
            with part:
                _store_first(builder, given[2], start, given[3])
        return context.get_dummy_value()

    return types.void(array, types.intp, lanes, types.intp), generate


def _store_first(builder: Any, value: Any, start: Any, count: Any) -> None:
    """Store the first `count` lanes of eight."""
    for half in (4, 2, 1):
        lower, upper = (
            builder.shuffle_vector(value, value, _mask([first + lane for lane in range(half)])) for first in (0, half)
        )
        stored = builder.icmp_unsigned("!=", builder.and_(count, ir.Constant(count.type, half)), count.type(0))
        with builder.if_then(stored):
            _store(builder, lower, builder.bitcast(start, lower.type.as_pointer()))
        start = builder.select(stored, builder.gep(start, [count.type(half)]), start)
        value = builder.select(stored, upper, lower)


@intrinsic
def store_rounded(_typing: Any, array: Any, offset: Any, value: Any) -> Any:
    """Store eight numbers, rounded, from `offset` on in a 16-bit array; they must be in range."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        middle = ir.Constant(_EIGHT.vector, [_HALFWAY] * 8)
        rounded = builder.fsub(builder.fadd(given[2], middle), middle)
        whole = builder.trunc(
            builder.fptosi(rounded, ir.VectorType(ir.IntType(32), 8)), ir.VectorType(ir.IntType(16), 8)
        )
        start = context.make_array(signature.args[0])(context, builder, given[0]).data
        pointer = builder.bitcast(builder.gep(start, [given[1]]), whole.type.as_pointer())
        builder.store(whole, pointer).align = 2
        return context.get_dummy_value()

    return types.void(array, types.intp, _EIGHT), generate


@intrinsic
def prefetch(_typing: Any, array: Any, offset: Any) -> Any:
    """Start to fetch the numbers at `offset`, which may lie outside of the array, from memory."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        start = context.make_array(signature.args[0])(context, builder, given[0]).data
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        pointer = builder.bitcast(builder.gep(start, [given[1]]), byte)
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        # To read (0), with high locality (3), data rather than instructions (1).
        builder.call(function, [pointer, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.void(array, types.intp), generate


@intrinsic
def take_number(_typing: Any, counter: Any) -> Any:
    """Atomic fetch-and-add: the first entry of an int64 array, which is incremented; threads get different numbers."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        start = context.make_array(signature.args[0])(context, builder, given[0]).data
        return builder.atomic_rmw("add", start, ir.Constant(ir.IntType(64), 1), "seq_cst")

    return types.int64(counter), generate


@intrinsic
def store16(_typing: Any, array: Any, offset: Any, value: Any) -> Any:
    """Store sixteen numbers from `offset` on."""
    return _storer(_SIXTEEN, array)


@intrinsic
def splat(_typing: Any, number: Any) -> Any:
    """Eight lanes of the same number."""
    return _splatter(_eight_of(number))


@intrinsic
def splat16(_typing: Any, number: Any) -> Any:
    """Sixteen lanes of the same number."""
    return _splatter(_SIXTEEN)


def _operator(python: Callable[..., object], instruction: str) -> None:
    """Let a Python operator on two values of the same lanes compile to this LLVM instruction."""

    @intrinsic
    def both(_typing: Any, left: Any, right: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
            return getattr(builder, instruction)(*given, flags=_FLAGS)

        return left(left, right), generate

    @overload(python, strict=False)  # the parameters have types here and none in the lambda
    def _meaning(left: Any, right: Any) -> Any:
        if isinstance(left, LanesType) and left == right:
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
    """Sixteen lanes converted to float64."""

    def generate(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        return builder.fpext(given[0], _WIDE.vector)

    return _WIDE(_SIXTEEN), generate


@intrinsic
def narrow(_typing: Any, wide: Any) -> Any:
    """Sixteen lanes converted to float32."""

    def generate(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        return builder.fptrunc(given[0], _SIXTEEN.vector)

    return _SIXTEEN(_WIDE), generate


@intrinsic
def where_positive(_typing: Any, tested: Any, then: Any, otherwise: Any) -> Any:
    """Lane by lane: `then` where `tested` is above 0, else `otherwise`."""

    def generate(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        return builder.select(_above_zero(builder, given[0]), given[1], given[2])

    return tested(tested, tested, tested), generate


@intrinsic
def where_equal(_typing: Any, left: Any, right: Any, then: Any, otherwise: Any) -> Any:
    """Lane by lane: `then` where `left` and `right` are equal, else `otherwise`."""

    def generate(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        return builder.select(builder.fcmp_ordered("==", given[0], given[1]), given[2], given[3])

    return left(left, left, left, left), generate


@intrinsic
def greatest(_typing: Any, left: Any, right: Any) -> Any:
    """Lane by lane, the maximum."""

    def generate(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        return builder.select(builder.fcmp_ordered(">", given[0], given[1]), given[0], given[1])

    return left(left, left), generate


@intrinsic
def any_positive(_typing: Any, tested: Any) -> Any:
    """Whether any lane is above 0."""

    def generate(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        bits = builder.bitcast(_above_zero(builder, given[0]), ir.IntType(8))
        return builder.icmp_unsigned("!=", bits, ir.Constant(ir.IntType(8), 0))

    return types.boolean(tested), generate


def _above_zero(builder: Any, tested: Any) -> Any:
    return builder.fcmp_ordered(">", tested, ir.Constant(tested.type, [0.0] * tested.type.count))


@intrinsic
def total_of(_typing: Any, lanes: Any) -> Any:
    """The sum of eight lanes: the upper half is added to the lower, three times."""

    def generate(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        summed = given[0]
        for half in (4, 2, 1):
            upper, lower = ([start + lane for lane in range(half)] for start in (half, 0))
            parts = [builder.shuffle_vector(summed, summed, _mask(places)) for places in (lower, upper)]
            summed = builder.fadd(*parts)
        return builder.extract_element(summed, ir.Constant(_INDEX, 0))

    return (types.float64 if lanes == _EIGHT_WIDE else types.float32)(lanes), generate


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


def _loaded_rows(context: Any, builder: Any, arrays: Any, source: Any, starts: list[Any], along: Any) -> list[Any]:
    offsets = [builder.add(start, along) for start in starts]
    return [_load(builder, _pointer(context, builder, arrays, source, offset, _EIGHT)) for offset in offsets]


def _starts(context: Any, builder: Any, arrays: Any, rows: Any, first: Any) -> list[Any]:
    """Eight numbers of an int64 array."""
    data = context.make_array(arrays)(context, builder, rows).data
    places = [builder.add(first, ir.Constant(ir.IntType(64), k)) for k in range(8)]
    return [builder.load(builder.gep(data, [place])) for place in places]


@intrinsic
def transpose(
    _typing: Any, source: Any, rows: Any, which: Any, along: Any, target: Any, offset: Any, stride: Any
) -> Any:
    """Transpose an 8x8 block: eight numbers of each of eight rows of `source`, `along` from each row's start.

    rows: int64 starts of the rows, eight from `which` on; row k of the result begins at place + k * stride of `target`.
    """

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        starts = _starts(context, builder, signature.args[1], given[1], given[2])
        loaded = _loaded_rows(context, builder, signature.args[0], given[0], starts, given[3])
        at = given[5]
        for column in _transposed(builder, loaded):
            _store(builder, column, _pointer(context, builder, signature.args[4], given[4], at, _EIGHT))
            at = builder.add(at, given[6])
        return context.get_dummy_value()

    return types.void(source, rows, types.intp, types.intp, target, types.intp, types.intp), generate


@intrinsic
def transpose_to_rows(
    _typing: Any, source: Any, rows: Any, along: Any, target: Any, targets: Any, which: Any, offset: Any
) -> Any:
    """As `transpose`, from the first eight `rows`; row k of the result begins at targets[which + k] + offset."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        starts = _starts(context, builder, signature.args[1], given[1], ir.Constant(ir.IntType(64), 0))
        loaded = _loaded_rows(context, builder, signature.args[0], given[0], starts, given[2])
        places = _starts(context, builder, signature.args[4], given[4], given[5])
        for place, column in zip(places, _transposed(builder, loaded), strict=True):
            at = builder.add(place, given[6])
            _store(builder, column, _pointer(context, builder, signature.args[3], given[3], at, _EIGHT))
        return context.get_dummy_value()

    return types.void(source, rows, types.intp, target, targets, types.intp, types.intp), generate
