"""Batch verification of request signatures outside the writer's thread."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from uuid import UUID

from api.http.threads import ContextThreads
from api.matches.schemas import SignedBy
from domain.matches.errors import BadSignature
from domain.signatures.acts import SignedAct
from domain.signatures.errors import SignatureFault

PendingCheck = tuple[SignedAct, asyncio.Future[None]]


def check_all(acts: Sequence[SignedAct]) -> list[str]:
    """Return the fault of each act's signature, or ""."""
    return [fault_of(act) for act in acts]


def fault_of(act: SignedAct) -> str:
    """Return the description of a signature's fault, or "" if it verifies."""
    try:
        act.check()
    except SignatureFault as fault:
        return str(fault)
    return ""


class SignatureChecks:
    """A thread that verifies signatures in batches: all acts that arrived during the previous batch."""

    def __init__(self) -> None:
        self._thread = ContextThreads(1, "signatures")
        self._waiting: list[PendingCheck] = []
        self._working: asyncio.Task[None] | None = None

    def close(self) -> None:
        """Stop the thread."""
        self._thread.shutdown()

    async def check(self, act: SignedAct) -> None:
        """Raise `BadSignature` unless the signature verifies; checks run in batches on a separate thread."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((act, done))
        if self._working is None:
            self._working = asyncio.create_task(self._work())
        await done

    async def _work(self) -> None:
        """Verify batches of waiting signatures until none is left.

        An unexpected error fails its whole batch and is raised.
        """
        loop = asyncio.get_running_loop()
        while self._waiting:
            batch, self._waiting = self._waiting, []
            try:
                faults = await loop.run_in_executor(self._thread, check_all, [act for act, _ in batch])
            except BaseException as error:
                fail_all(batch, error)
                raise
            for (_, done), fault in zip(batch, faults, strict=True):
                complete_future(done, BadSignature(fault) if fault else None)
        self._working = None


def fail_all(batch: Sequence[PendingCheck], error: BaseException) -> None:
    """Fail all waiting requests, so that none hangs after an error of the thread."""
    for _, done in batch:
        complete_future(done, error)


def complete_future(done: asyncio.Future[None], error: BaseException | None) -> None:
    """Set the result None or the exception of a future, unless it is done, because its request was cancelled."""
    if done.done():
        return
    if error is None:
        done.set_result(None)
    else:
        done.set_exception(error)


def signed_act_of(match_id: UUID, signed: SignedBy, act: bytes) -> SignedAct:
    """Return the signed act of a request: the signature must cover the act that is requested."""
    digest = bytes.fromhex(signed.head)
    return SignedAct(match_id, signed.version, digest, act, signed.key, signed.signature)
