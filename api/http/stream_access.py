"""Repeated authorisation of open streams: the guards of the route run again while a stream is open."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import msgspec
from litestar.connection import ASGIConnection
from litestar.exceptions import NotAuthorizedException

from api.http.errors import problem_of
from api.http.guards import NOBODY, Caller, identify
from api.http.pipeline import ROUTE_PIPELINE
from api.http.stream_responses import encode_event

Require = Callable[[], Awaitable[object]]
"""A check in addition to the guards of a route; raises the error that a request would get."""
CLOSED: Final = "closed"
"""Name of the last event of a stream whose reader lost access. Its data has the status and code of the error."""
STREAM_ACCESS: Final = "admission"
SERVER_ERRORS: Final = 500


async def require_nothing() -> None:
    """Accept every reader whom the guards accept."""


def at_most_every(seconds: float, require: Require) -> Require:
    """Return a rule that runs `require` at most once per interval, first after one interval.

    Checking who may read a chat takes 2 ms, so a message to a thousand readers would take two seconds.
    """
    asked_at = asyncio.get_running_loop().time()

    async def require_now_and_then() -> None:
        nonlocal asked_at
        now = asyncio.get_running_loop().time()
        if now - asked_at >= seconds:
            await require()
            asked_at = now

    return require_now_and_then


class StreamAccess:
    """The access of one reader to one open stream.

    A stream checks access before each message and at each heartbeat. This covers every way to lose access (invitation
    withdrawn, role revoked, session ended, account erased, study made private, seat left) without listing them.
    """

    def __init__(self, connection: ASGIConnection[Any, Caller, Any, Any], require: Require) -> None:
        self._connection = connection
        self._require = require
        self.refusal: Exception | None = None
        """The error that closed the stream."""
        connection.state[STREAM_ACCESS] = self

    async def is_granted(self) -> bool:
        """Return whether the reader still has access to the stream; a refusal is stored as `refusal`.

        Server errors are raised.
        """
        try:
            return await self._is_same_caller() and await self._passes_checks()
        except Exception as refusal:
            if problem_of(refusal).status >= SERVER_ERRORS:
                raise
            self.refusal = refusal
            return False

    async def _is_same_caller(self) -> bool:
        """Return False if the caller's account or scopes changed, which ends the stream and makes the client reconnect.

        Raises 401 if the session or token has ended; anonymous callers stay the same.
        """
        caller = self._connection.user
        if caller == NOBODY:
            return True
        current = await identify(self._connection)
        if current.person_id != caller.person_id:
            raise NotAuthorizedException("the session or token of this stream has expired")
        return bool(current == caller)

    async def _passes_checks(self) -> bool:
        """Run the repeated guards and `require` again; return True, or raise their refusal."""
        await ROUTE_PIPELINE.of(self._connection).repeat(self._connection)
        await self._require()
        return True

    def error_event(self) -> bytes:
        """Return the last event, `closed`, of a stream that an error closed, with its status and code as JSON."""
        assert self.refusal is not None
        problem = problem_of(self.refusal)
        data: Mapping[str, Any] = {"status": problem.status, "code": problem.code}
        return encode_event(msgspec.json.encode(data).decode(), event=CLOSED)


async def has_stream_access(connection: ASGIConnection[Any, Caller, Any, Any]) -> bool:
    """Return whether the reader of an open stream still has access."""
    access: StreamAccess = connection.state[STREAM_ACCESS]
    return await access.is_granted()
