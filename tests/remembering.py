"""What Litestar reads from the signature of a function is read once in a process.

Tests start some hundred services, each with the same handlers: a quarter of every start went into their annotations.
"""

from collections.abc import Mapping
from types import FunctionType
from typing import Any

from litestar.utils.signature import ParsedSignature


def remember_signatures() -> None:
    """From now on; a function that is made anew every time is read every time."""
    read = ParsedSignature.from_fn
    known: dict[tuple[Any, ...], ParsedSignature] = {}

    def from_fn(fn: Any, signature_namespace: Mapping[str, Any]) -> ParsedSignature:
        if not isinstance(fn, FunctionType) or fn.__closure__ is not None:
            return read(fn, dict(signature_namespace))
        key = (fn, *signature_namespace.items())
        if key not in known:
            known[key] = read(fn, dict(signature_namespace))
        return known[key]

    ParsedSignature.from_fn = staticmethod(from_fn)  # type: ignore[method-assign]
