"""Hidden values: visible to an audience, and stored in the log as a commitment."""

from __future__ import annotations

from typing import Any, Final, Generic, TypeVar, final

import msgspec

T = TypeVar("T")
D = TypeVar("D")


class _Missing:
    """The type of the placeholder for a value that the reader does not hold."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = _Missing()

Audience = tuple[int, ...]
"""The seats that may see a hidden value, sorted; empty means no seat while the match runs."""


@final
class Hidden(Generic[T]):
    """A value with its audience and its commitment in the log.

    Rules create it with value and audience, sealing adds the commitment, and readers outside the audience hold it
    without the value. Two are equal if audience and value (or, without values, commitments) are equal.
    """

    __slots__ = ("_value", "audience", "commitment")

    audience: Audience
    commitment: str | None
    _value: T | _Missing

    def __init__(self, value: T | _Missing, audience: Audience, commitment: str | None = None) -> None:
        self.audience = audience
        self.commitment = commitment
        self._value = value

    @property
    def is_known(self) -> bool:
        """Return whether the reader holds the value."""
        return not isinstance(self._value, _Missing)

    @property
    def value(self) -> T:
        """Return the value; raise `LookupError` if the reader does not hold it."""
        if isinstance(self._value, _Missing):
            raise LookupError(f"the hidden value {self.commitment} is not visible to this reader")
        return self._value

    def known_or(self, default: D) -> T | D:
        """Return the value, or the default if the reader does not hold it."""
        return default if isinstance(self._value, _Missing) else self._value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hidden):
            return NotImplemented
        if self.audience != other.audience:
            return False
        if self.is_known and other.is_known:
            return bool(self._value == other._value)
        return self.is_known == other.is_known and self.commitment == other.commitment

    def __hash__(self) -> int:
        return hash((Hidden, self.audience))

    def __repr__(self) -> str:
        return f"Hidden(audience={self.audience}, {'known' if self.is_known else 'closed'})"


class Sealed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The wire form of a hidden value: `{"commitment": hex, "audience": [seats]}`."""

    commitment: str
    audience: tuple[int, ...]


def decoder_of(hidden_type: Any) -> msgspec.json.Decoder[Any]:
    """Return the decoder for the value of a `Hidden[T]`."""
    (inner,) = hidden_type.__args__
    return msgspec.json.Decoder(inner)


def open_hidden(values: msgspec.json.Decoder[T], sealed: Sealed, raw: msgspec.Raw | bytes | None) -> Hidden[T]:
    """Return the hidden value of a loaded body; `raw` is its JSON, or `None` if the reader does not hold it."""
    value = MISSING if raw is None else values.decode(raw)
    return Hidden(value, sealed.audience, sealed.commitment)
