"""Limits on concurrent live streams per person and address, because each holds a task and a subscription.

Each process counts its streams separately.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from litestar.connection import ASGIConnection
from litestar.exceptions import TooManyRequestsException

from api.http.app_state import AppKey
from api.http.guards import Caller, used_private_socket
from projections.platform.settings import Settings

RETRY_AFTER_SECONDS: Final = 10
"""Retry-After in seconds; the end of a stream cannot be predicted."""


def table_keys(path: str, person_id: str) -> tuple[str, ...]:
    """Return the counter keys of a table page's stream in addition to its reader; empty for other pages."""
    prefix, _, table_path = path.partition("/tables/")
    return () if prefix or not table_path else (f"at {table_path.partition('/')[0]} {person_id}",)


class StreamSlot:
    """A counted stream; leaving it twice has no effect."""

    def __init__(self, open_: Counter[str], names: tuple[str, ...]) -> None:
        self._open = open_
        self._names = names
        open_.update(names)

    def release(self) -> None:
        """Stop counting the stream; a second call does nothing."""
        self._open.subtract(self._names)
        for name in self._names:
            if not self._open[name]:
                del self._open[name]
        self._names = ()


class Streams:
    """The open streams and their limits; a limit of 0 means unlimited."""

    def __init__(self, settings: Settings) -> None:
        self._per_person = settings.streams_per_person
        self._per_address = settings.streams_per_address
        self._open = Counter[str]()

    def acquire(self, connection: ASGIConnection[Any, Caller, Any, Any]) -> StreamSlot:
        """Count one more stream of this reader and return its slot; raise 429 at the limit per address or per person.

        The service itself is not counted.
        """
        if used_private_socket(connection):
            return StreamSlot(self._open, ())
        address = f"address {connection.client.host if connection.client else 'unknown'}"
        limits = {address: self._per_address}
        if (person := connection.user.person) is not None:
            limits[f"person {person.id}"] = self._per_person
        for name, count in limits.items():
            if count and self._open[name] >= count:
                sentence = f"this {name.partition(' ')[0]} already has {count} open live streams, the maximum"
                raise TooManyRequestsException(sentence, headers={"Retry-After": str(RETRY_AFTER_SECONDS)})
        keys = () if person is None else table_keys(connection.url.path, person.id)
        return StreamSlot(self._open, (*limits, *keys))

    def is_at_table(self, person_id: str, match_id: str) -> bool:
        """Return whether the person has the page of a table open in this process."""
        return any(self._open[name] for name in table_keys(f"/tables/{match_id}/", person_id))

    @property
    def is_empty(self) -> bool:
        """Whether no stream is open."""
        return not self._open


STREAMS: Final = AppKey[Streams]("streams")
