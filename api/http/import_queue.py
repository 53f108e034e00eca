"""The queue of imports: files are read and stored one at a time, while other requests write."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from api.http.limits import rate_limit_error
from domain.matches.facts import Actor

IMPORTS_WAITING_MAX: Final = 8
"""Maximum number of imports waiting in a process, each with a body of several megabytes."""
RETRY_SECONDS: Final = 10
"""Retry-After of rejected imports, about the time that two of the largest files take."""


class ImportQueue:
    """Imports in request order; at most one per account waits."""

    def __init__(self) -> None:
        self._at_work = asyncio.Lock()
        self._waiting = set[Actor]()

    @asynccontextmanager
    async def turn(self, account: Actor) -> AsyncIterator[None]:
        """Run the block after earlier imports; raise 429 if the account has a waiting import or the queue is full."""
        if account in self._waiting:
            raise rate_limit_error(f"another import of yours is waiting; retry in {RETRY_SECONDS} s", RETRY_SECONDS)
        if len(self._waiting) >= IMPORTS_WAITING_MAX:
            raise rate_limit_error(
                f"{IMPORTS_WAITING_MAX} imports are already waiting; retry in {RETRY_SECONDS} s", RETRY_SECONDS
            )
        self._waiting.add(account)
        try:
            await self._at_work.acquire()
        finally:
            self._waiting.discard(account)
        try:
            yield
        finally:
            self._at_work.release()
