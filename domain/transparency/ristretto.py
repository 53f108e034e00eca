"""Operations of the group ristretto255 by libsodium, which the package `rbcl` carries.

Elements and scalars are 32 bytes. The library is loaded at the first use, as it takes 50 ms and 15 MB.
"""

import sys
from functools import cache
from pathlib import Path
from typing import Any

from domain.kernel.loading import load


@cache
def library() -> Any:
    """Return the loaded library.

    The package writes libsodium to a temporary file at each start and leaves it there; loaded code does not need it.
    """
    loaded = load("rbcl", "rbcl")
    Path(sys.modules["rbcl._sodium"].lib_path).unlink(missing_ok=True)
    return loaded


def is_element(encoded: bytes) -> bool:
    """Return whether 32 bytes are the canonical encoding of an element."""
    return bool(library().crypto_core_ristretto255_is_valid_point(encoded))


def reduce(encoded: bytes) -> bytes:
    """Return the scalar of 64 bytes: their number modulo the order of the group."""
    found: bytes = library().crypto_core_ristretto255_scalar_reduce(encoded)
    return found


def element_of(encoded: bytes) -> bytes:
    """Map 64 uniform bytes to an element."""
    found: bytes = library().crypto_core_ristretto255_from_hash(encoded)
    return found


def base_multiple(factor: bytes) -> bytes:
    """Return a multiple of the generator; raise `RuntimeError` if it is the identity."""
    found: bytes = library().crypto_scalarmult_ristretto255_base(factor)
    return found


def multiple(factor: bytes, element: bytes) -> bytes:
    """Return a multiple of an element; raise `RuntimeError` if it is the identity."""
    found: bytes = library().crypto_scalarmult_ristretto255(factor, element)
    return found


def difference(first: bytes, second: bytes) -> bytes:
    """Return the difference of two elements."""
    found: bytes = library().crypto_core_ristretto255_sub(first, second)
    return found
