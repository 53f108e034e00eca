"""Record a commitment to the name of every account, so that swapped names are found by the audit."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

import structlog

from api.accounts.name_salts import commit_to_name, list_uncommitted, note_commitment
from api.accounts.people import People
from api.http.writer import OneWriter
from domain.keys.names import commit_name
from domain.matches.errors import Tampered
from projections.platform.backoff import Backoff, Failures
from projections.platform.clock import now

LOOK_SECONDS: Final = 60.0
"""Seconds between checks for new accounts, which the console and other processes create too."""
REST_SECONDS: Final = 0.02
"""Pause after each account, so that the first start with many accounts leaves the writer to players."""
RETRIES: Final = Backoff(1.0, 600.0)

log = structlog.get_logger("accounts")


class NameRegister:
    """The background loop that commits to the names of new accounts."""

    def __init__(self, people: People, writer: OneWriter) -> None:
        self._people = people
        self._writer = writer

    async def run(self) -> None:
        """Commit to the names of all accounts, then of new ones, until cancelled; failures are logged and retried."""
        failures = Failures(RETRIES)
        while True:
            seconds = LOOK_SECONDS
            try:
                await self.commit_new()
                failures.succeed()
            except Exception:
                log.exception("cannot record commitments to names")
                seconds = failures.fail()
            await asyncio.sleep(seconds)

    async def commit_new(self) -> None:
        """Commit to the names of all accounts that have no commitment yet."""
        while accounts := await asyncio.to_thread(list_uncommitted, self._people):
            for person, name in accounts:
                await self._commit(person, name)
                await asyncio.sleep(REST_SECONDS)

    async def _commit(self, person: str, name: str) -> None:
        """Record the commitment to a name, and note it afterwards; after a crash in between, this is repeated.

        A stream that was tampered with is skipped, as is an account that was erased since it was listed.
        """
        commitment = await asyncio.to_thread(commit_to_name, self._people, person, name)
        if commitment is None:
            return
        with suppress(Tampered):
            await self._writer.execute(commit_name, person, commitment, at=now())
        await asyncio.to_thread(note_commitment, self._people, person)
