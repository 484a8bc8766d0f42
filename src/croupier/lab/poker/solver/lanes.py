"""Sixteen numbers at once: a vector type for kernels, with loads, stores and arithmetic.

The compiler turns plain loops into vector code only if it can prove that no two arrays overlap, which it cannot for
slices of one large array. Here the width is written down. `load(array, place)` reads 16 numbers from `place` on,
whatever the array's length: kernels check nothing.
"""

import operator
from collections.abc import Callable
from typing import Any, Final

from llvmlite import ir  # type: ignore[import-untyped]
from numba import extending
from numba.core import types as core_types
from numba.core.errors import TypingError

WIDTH: Final = 16

_FLAGS: Final = ("contract", "nsz", "arcp")
# Numba's own parts carry no types.
types: Any = core_types
intrinsic: Any = extending.intrinsic
overload: Any = extending.overload
register_model: Any = extending.register_model
_Type: Any = types.Type
_Model: Any = extending.models.PrimitiveModel


class Lanes(_Type):  # type: ignore[misc]  # numba's classes carry no types
    """Sixteen floats of one width."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = dtype
        super().__init__(name=f"Lanes({dtype})")


class _LanesModel(_Model):  # type: ignore[misc]  # numba's classes carry no types
    def __init__(self, manager: Any, lanes: Lanes) -> None:
        super().__init__(manager, lanes, ir.VectorType(_element(lanes.dtype), WIDTH))


register_model(Lanes)(_LanesModel)


def _element(dtype: Any) -> Any:
    if hasattr(dtype, "signed"):
        return ir.IntType(dtype.bitwidth)
    return ir.FloatType() if dtype == types.float32 else ir.DoubleType()


def _pointer(context: Any, builder: Any, array_type: Any, array: Any, place: Any) -> Any:
    """A pointer to 16 numbers of an array."""
    data = context.make_array(array_type)(context, builder, array).data
    first = builder.gep(data, [place])
    return builder.bitcast(first, ir.VectorType(_element(array_type.dtype), WIDTH).as_pointer())


def _align(array_type: Any) -> int:
    return int(array_type.dtype.bitwidth // 8)


def _repeated(builder: Any, value: Any) -> Any:
    wide = ir.VectorType(value.type, WIDTH)
    one = builder.insert_element(ir.Constant(wide, ir.Undefined), value, ir.Constant(ir.IntType(32), 0))
    order = ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH)
    return builder.shuffle_vector(one, ir.Constant(wide, ir.Undefined), order)


def _load(typing: Any, array: Any, place: Any) -> Any:
    """Sixteen numbers of an array of floats."""
    signature = Lanes(array.dtype)(array, types.intp)

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.load(_pointer(context, builder, sig.args[0], *args), align=_align(sig.args[0]))

    return signature, code


def _load_short(typing: Any, array: Any, place: Any) -> Any:
    """Sixteen numbers of an array of small integers, as floats of 32 bits."""
    signature = Lanes(types.float32)(array, types.intp)
    convert = "sitofp" if array.dtype.signed else "uitofp"

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        whole = builder.load(_pointer(context, builder, sig.args[0], *args), align=_align(sig.args[0]))
        return getattr(builder, convert)(whole, ir.VectorType(ir.FloatType(), WIDTH))

    return signature, code


def _store(typing: Any, array: Any, place: Any, value: Any) -> Any:
    """Write sixteen numbers to an array of the same floats."""
    if array.dtype != value.dtype:
        raise TypingError(f"{value} does not fit an array of {array.dtype}")

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        pointer = _pointer(context, builder, sig.args[0], args[0], args[1])
        builder.store(args[2], pointer, align=_align(sig.args[0]))
        return context.get_dummy_value()

    return types.void(array, types.intp, value), code


def _store_short(typing: Any, array: Any, place: Any, value: Any) -> Any:
    """Write sixteen floats, cut to whole numbers, to an array of 16-bit integers."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        pointer = _pointer(context, builder, sig.args[0], args[0], args[1])
        # By way of 32 bits: processors convert to those directly.
        wide = builder.fptosi(args[2], ir.VectorType(ir.IntType(32), WIDTH))
        builder.store(builder.trunc(wide, ir.VectorType(ir.IntType(16), WIDTH)), pointer, align=2)
        return context.get_dummy_value()

    return types.void(array, types.intp, value), code


def _widened_like(typing: Any, array: Any, value: Any) -> Any:
    """Floats of 32 bits as the floats of an array."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        if sig.args[0].dtype == types.float32:
            return args[1]
        return builder.fpext(args[1], ir.VectorType(ir.DoubleType(), WIDTH))

    return Lanes(array.dtype)(array, value), code


def _splat(typing: Any, array: Any, number: Any) -> Any:
    """One number sixteen times, as the floats of an array."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return _repeated(builder, context.cast(builder, args[1], sig.args[1], sig.args[0].dtype))

    return Lanes(array.dtype)(array, number), code


def _binary(name: str) -> Any:
    def operation(typing: Any, left: Any, right: Any) -> Any:
        def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return getattr(builder, name)(args[0], args[1], flags=_FLAGS)

        return left(left, right), code

    return intrinsic(operation)


def _overloaded(function: Callable[..., Any], name: str) -> None:
    operation = _binary(name)

    def operate(left: Any, right: Any) -> Any:
        if isinstance(left, Lanes) and isinstance(right, Lanes):
            return lambda left, right: operation(left, right)  # noqa: PLW0108  # numba compiles a function
        return None

    overload(function, strict=False)(operate)


for _function, _name in (
    (operator.add, "fadd"),
    (operator.sub, "fsub"),
    (operator.mul, "fmul"),
    (operator.truediv, "fdiv"),
):
    _overloaded(_function, _name)


def _largest(typing: Any, left: Any, right: Any) -> Any:
    """The larger number of each pair."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return builder.select(builder.fcmp_ordered(">", args[0], args[1]), args[0], args[1])

    return left(left, right), code


def _where_positive(typing: Any, tested: Any, then: Any, otherwise: Any) -> Any:
    """`then` in the lanes where `tested` is above 0, `otherwise` elsewhere."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        zero = ir.Constant(args[0].type, None)
        return builder.select(builder.fcmp_ordered(">", args[0], zero), args[1], args[2])

    return then(tested, then, otherwise), code


def _lane(typing: Any, value: Any, number: Any) -> Any:
    """One of the sixteen numbers."""

    def code(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        place = builder.trunc(args[1], ir.IntType(32))
        return builder.extract_element(args[0], place)

    return value.dtype(value, types.intp), code


load: Any = intrinsic(_load)
load_short: Any = intrinsic(_load_short)
store: Any = intrinsic(_store)
store_short: Any = intrinsic(_store_short)
widened_like: Any = intrinsic(_widened_like)
splat: Any = intrinsic(_splat)
largest: Any = intrinsic(_largest)
where_positive: Any = intrinsic(_where_positive)
lane: Any = intrinsic(_lane)
