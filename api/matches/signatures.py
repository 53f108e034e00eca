"""Signatures that come with requests: checked beside the writer, as many at once as wait."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from uuid import UUID

from api.http.threads import ContextThreads
from api.matches.wire import SignedBy
from domain.matches.errors import BadSignature
from domain.signatures.acts import SignedAct
from domain.signatures.errors import SignatureFault

Waiting = tuple[SignedAct, asyncio.Future[None]]


def check_all(acts: Sequence[SignedAct]) -> list[str]:
    """What is wrong with each, in words; nothing with one that is good."""
    return [fault_of(act) for act in acts]


def fault_of(act: SignedAct) -> str:
    """What is wrong with a signature; nothing where it is good."""
    try:
        act.check()
    except SignatureFault as fault:
        return str(fault)
    return ""


class SignatureChecks:
    """A thread that checks signatures: all that came while it was at the last ones go to it together."""

    def __init__(self) -> None:
        self._thread = ContextThreads(1, "signatures")
        self._waiting: list[Waiting] = []
        self._working: asyncio.Task[None] | None = None

    def close(self) -> None:
        self._thread.shutdown()

    async def check(self, act: SignedAct) -> None:
        """`BadSignature` where it is not made with its key over all of this."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((act, done))
        if self._working is None:
            self._working = asyncio.create_task(self._work())
        await done

    async def _work(self) -> None:
        """One batch after the other, until nobody waits."""
        loop = asyncio.get_running_loop()
        while self._waiting:
            batch, self._waiting = self._waiting, []
            try:
                faults = await loop.run_in_executor(self._thread, check_all, [act for act, _ in batch])
            except BaseException as error:
                answer_all(batch, error)
                raise
            for (_, done), fault in zip(batch, faults, strict=True):
                answer(done, BadSignature(fault) if fault else None)
        self._working = None


def answer_all(batch: Sequence[Waiting], error: BaseException) -> None:
    """Nobody waits for ever where the thread has failed."""
    for _, done in batch:
        answer(done, error)


def answer(done: asyncio.Future[None], error: BaseException | None) -> None:
    """Whoever has gone meanwhile needs no answer."""
    if done.done():
        return
    if error is None:
        done.set_result(None)
    else:
        done.set_exception(error)


def said_to_sign(match_id: UUID, offered: SignedBy, act: bytes) -> SignedAct:
    """What a caller says to have signed: the act is what the request wants, whatever was meant."""
    digest = bytes.fromhex(offered.head)
    return SignedAct(match_id, offered.version, digest, act, offered.key, offered.signature)
