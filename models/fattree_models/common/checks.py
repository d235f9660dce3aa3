"""Argument checks shared by the models, and the array types they speak.

Every check raises `ValueError` with one line that names the argument, the value and what is
allowed.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

BoolArray = npt.NDArray[np.bool_]
Int8Array = npt.NDArray[np.int8]
Int32Array = npt.NDArray[np.int32]
Int64Array = npt.NDArray[np.int64]
IntegerArray = npt.NDArray[np.integer[Any]]

MAX_LEVELS = 20


def check_levels(n: int) -> int:
    """Return `n` as an int if 1 <= n <= 20, the trees these models handle.

    Parameters
    ----------
    n : int
        Number of levels below the root; the tree has 2^n leaves.

    Raises
    ------
    ValueError
        If `n` is not an integer in 1 ... 20.

    Examples
    --------
    >>> check_levels(4)
    4
    >>> check_levels(0)
    Traceback (most recent call last):
    ...
    ValueError: n: is 0; allowed are integers 1 … 20
    """
    whole = isinstance(n, (int, np.integer)) and not isinstance(n, bool)
    if not (whole and 1 <= n <= MAX_LEVELS):
        raise ValueError(f"n: is {n}; allowed are integers 1 … {MAX_LEVELS}")
    return int(n)


def check_integers(name: str, values: npt.ArrayLike) -> IntegerArray:
    """Return `values` as an integer array.

    Raises
    ------
    ValueError
        If the dtype is not an integer one (an empty list counts as integers).

    Examples
    --------
    >>> check_integers("dst", [1, 0])
    array([1, 0])
    """
    array = np.asarray(values)
    if array.size == 0 and array.dtype == np.float64:
        array = array.astype(np.int64)
    if array.dtype.kind not in "iu":
        raise ValueError(f"{name}: has dtype {array.dtype}; allowed are integers")
    return array


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

    Raises
    ------
    ValueError
        If `leaves` is not 2^n with n in 1 ... 20.

    Examples
    --------
    >>> levels_of("dst", 16)
    4
    """
    n = int(leaves).bit_length() - 1
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

    Raises
    ------
    ValueError
        If the shape, the dtype or a destination is wrong.

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
