"""Checks of arguments, shared by the models, and the array types they speak.

Every check returns the argument as the models compute with it: numpy scalars as Python numbers, so
that nothing wraps round in a narrow type, and arrays of any integer type as int32 or int64.  Or it
raises `ValueError` with one line that names the argument, the value and what is allowed.
"""

import math
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

BoolArray = npt.NDArray[np.bool_]
Int8Array = npt.NDArray[np.int8]
Int32Array = npt.NDArray[np.int32]
Int64Array = npt.NDArray[np.int64]
UInt8Array = npt.NDArray[np.uint8]
UInt64Array = npt.NDArray[np.uint64]
IntegerArray = npt.NDArray[np.integer[Any]]

MAX_LEVELS = 20
MAX_INT64 = 2**63 - 1


def whole(value: object) -> int | None:
    """Return an integer of any type, or an array of one without axes, as an int; else None."""
    value = value.item() if isinstance(value, np.ndarray) and value.ndim == 0 else value
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        return int(value)
    return None


def check_integer(name: str, value: int, low: int | None = None, high: int | None = None) -> int:
    """Return `value` as an int if it is an integer in low ... high, of any integer type.

    Examples
    --------
    >>> check_integer("seed", np.uint8(7), 0)
    7
    >>> check_integer("h", 1.5, 1, 20)
    Traceback (most recent call last):
    ...
    ValueError: h: is 1.5; allowed are integers 1 … 20
    """
    found = whole(value)
    if found is None or (low is not None and found < low) or (high is not None and found > high):
        limits = "" if low is None else f" from {low}" if high is None else f" {low} … {high}"
        shown = value if isinstance(value, Real) else repr(value)
        raise ValueError(f"{name}: is {shown}; allowed are integers{limits}")
    return found


def check_word(name: str, value: str, *allowed: str) -> None:
    """Raise `ValueError` unless `value` is one of these words."""
    if value not in allowed:
        raise ValueError(f"{name}: is {value!r}; allowed are {', '.join(allowed)}")


def check_real(name: str, value: float, low: float, high: float = math.inf) -> float:
    """Return `value` as a float if it is a real number in low ... high, of any type; NaN is none.

    Examples
    --------
    >>> check_real("load", 1, 0, 1)
    1.0
    >>> check_real("load", float("nan"), 0, 1)
    Traceback (most recent call last):
    ...
    ValueError: load: is nan; allowed are 0 … 1
    """
    number = value.item() if isinstance(value, np.ndarray) and value.ndim == 0 else value
    real = isinstance(number, Real) and not isinstance(number, bool)
    if not (real and low <= number <= high):
        allowed = f"numbers from {low:g}" if high == math.inf else f"{low:g} … {high:g}"
        shown = value if isinstance(value, Real) else repr(value)
        raise ValueError(f"{name}: is {shown}; allowed are {allowed}")
    return float(number)


def check_levels(n: int) -> int:
    """Return `n` as an int if it is a number of levels below the root, 1 ... 20."""
    return check_integer("n", n, 1, MAX_LEVELS)


def check_integers(
    name: str, values: npt.ArrayLike, low: int | None = None, high: int | None = None
) -> Int32Array | Int64Array:
    """Return `values`, integers of any type, as an int32 or int64 array.

    It is int32 only if `values` are.  An empty list counts as integers.

    Examples
    --------
    >>> check_integers("dst", [1, 0])
    array([1, 0])
    >>> check_integers("dst", [0.0])
    Traceback (most recent call last):
    ...
    ValueError: dst: has dtype float64; allowed are integers
    """
    try:
        array = np.asarray(values)
    except (ValueError, OverflowError):
        raise ValueError(f"{name}: is not an array; allowed are rows of equal length") from None
    if array.size == 0 and array.dtype == np.float64:
        array = array.astype(np.int64)
    if array.dtype.kind not in "iu":
        raise ValueError(f"{name}: has dtype {array.dtype}; allowed are integers")
    if array.dtype == np.uint64:
        # What does not fit must not wrap round to what does.
        check_range(name, array, 0 if low is None else low, MAX_INT64 if high is None else high)
    result: Int32Array | Int64Array
    result = array if array.dtype == np.int32 else array.astype(np.int64, copy=False)
    if low is not None and high is not None:
        check_range(name, result, low, high)
    return result


def check_range(name: str, values: IntegerArray, low: int, high: int) -> None:
    """Raise `ValueError` unless all of `values` lie in low ... high.

    Examples
    --------
    >>> check_range("dst", np.array([0, 4]), -1, 3)
    Traceback (most recent call last):
    ...
    ValueError: dst: holds 4; allowed are -1 … 3
    """
    if values.size == 0:
        return
    least, most = int(values.min()), int(values.max())
    if least < low or most > high:
        wrong = least if least < low else most
        raise ValueError(f"{name}: holds {wrong}; allowed are {low} … {high}")


def levels_of(name: str, leaves: int) -> int:
    """Return n such that `leaves` = 2^n.

    Examples
    --------
    >>> levels_of("dst", 16)
    4
    """
    n = (whole(leaves) or 0).bit_length() - 1
    if n < 1 or n > MAX_LEVELS or leaves != 1 << n:
        raise ValueError(f"{name}: has {leaves} leaves; allowed are 2^n with n = 1 … {MAX_LEVELS}")
    return n


def check_slots(dst: npt.ArrayLike, name: str = "dst") -> tuple[Int32Array, int]:
    """Check the traffic of a list of slots and return it as int32, with n.

    Parameters
    ----------
    dst : int array [slots, N]
        Destination leaf of the packet that leaf x injects, -1 = idle.

    Returns
    -------
    (int32 array [slots, N], int)
        The array, made contiguous (not copied if it is already so), and n = log2 N.

    Examples
    --------
    >>> check_slots([[1, -1]])
    (array([[ 1, -1]], dtype=int32), 1)
    """
    array = check_integers(name, dst)
    if array.ndim != 2:
        raise ValueError(f"{name}: has {array.ndim} axes; allowed are 2, [slots, leaves]")
    n = levels_of(name, array.shape[1])
    check_range(name, array, -1, array.shape[1] - 1)
    return np.ascontiguousarray(array, dtype=np.int32), n
