"""Local times of a time zone in forms."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Final
from zoneinfo import ZoneInfo

import msgspec

from api.http.form_faults import FieldFault, excerpt
from api.http.forms import FormRejected
from domain.kernel.messages import N_, Message

LOCAL: Final = "%Y-%m-%dT%H:%M"
"""Format of browsers' `datetime-local` fields."""
NO_TIME: Final = N_("Enter a date and time that exists in this time zone, not “{value}”.")
LocalTime = Annotated[str, msgspec.Meta(max_length=20)]


def parse_local_time(zone: ZoneInfo, text: str, field: str) -> datetime | None:
    """Parse a local time of a zone into UTC; None for "".

    Raises `FormRejected` with the field if it is invalid, or if the zone's clocks skip it; of a repeated time the first
    is taken.
    """
    if not text:
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        found = datetime.max.replace(tzinfo=UTC)
    if found.tzinfo is None and 1970 <= found.year < 3000:
        local = found.replace(tzinfo=zone)
        if local.astimezone(UTC).astimezone(zone).replace(tzinfo=None) == found:
            return local.astimezone(UTC)
    raise FormRejected([FieldFault(field, Message(NO_TIME, {"value": excerpt(text)}))])
