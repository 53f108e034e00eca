"""Cursors of lists that are not ordered by a number: the position after which a page starts, as text."""

from __future__ import annotations

import base64
import binascii
from typing import Annotated, Any, Final, TypeVar

import msgspec
from litestar.exceptions import ValidationException
from litestar.params import QueryParameter

Position = TypeVar("Position", bound=tuple[Any, ...])

CURSOR_LENGTH_MAX: Final = 400

Cursor = Annotated[
    str | None, QueryParameter(max_length=CURSOR_LENGTH_MAX, description="the `next` of the previous page")
]


def encode_cursor(of: str, position: tuple[Any, ...] | None) -> str | None:
    """Return the cursor of a position in a list; None for None. It contains only values of the page."""
    if position is None:
        return None
    return base64.urlsafe_b64encode(msgspec.json.encode((of, position))).rstrip(b"=").decode()


def decode_cursor(of: str, kind: type[Position], cursor: str | None, parameter: str = "before") -> Position | None:
    """Return the position of a cursor; None for None.

    Raise `ValidationException` with the parameter for a cursor that cannot be read or belongs to another list.
    """
    if cursor is None:
        return None
    try:
        text = base64.b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        found_of, position = msgspec.json.decode(text, type=tuple[str, kind])  # type: ignore[valid-type]  # a type that is a value
    except (UnicodeEncodeError, binascii.Error, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise cursor_error(parameter, f"{cursor!r} is no cursor") from error
    if found_of != of:
        raise cursor_error(parameter, f"{cursor!r} is a cursor of another list")
    return position


def cursor_error(parameter: str, message: str) -> ValidationException:
    """Return the error of a parameter with a wrong cursor."""
    return ValidationException(extra=[{"key": parameter, "message": message, "source": "query"}])
