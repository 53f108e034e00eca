"""The queue of imports: one at a time, one waiting per account, and a limit in total."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest
from litestar.exceptions import TooManyRequestsException

from api.http.import_queue import IMPORTS_WAITING_MAX, RETRY_SECONDS, ImportQueue


class Importing:
    """Imports that last until the test ends them."""

    def __init__(self) -> None:
        self.queue = ImportQueue()
        self.begun: list[str] = []
        self._end = asyncio.Event()

    def start(self, account: str) -> asyncio.Task[None]:
        return asyncio.create_task(self._import(account))

    async def _import(self, account: str) -> None:
        async with self.queue.turn(account):
            self.begun.append(account)
            await self._end.wait()

    def end_all(self) -> None:
        self._end.set()


async def settle() -> None:
    """Let all tasks proceed until they wait."""
    for _ in range(5):
        await asyncio.sleep(0)


def run(test: Coroutine[Any, Any, None]) -> None:
    asyncio.run(test)


def test_a_second_waiting_import_of_one_account_is_refused() -> None:
    async def test() -> None:
        imports = Importing()
        tasks = [imports.start("anna"), imports.start("anna"), imports.start("anna"), imports.start("bea")]
        await settle()
        begun = list(imports.begun)
        imports.end_all()
        _, _, refused, _ = await asyncio.gather(*tasks, return_exceptions=True)

        assert begun == ["anna"]
        assert isinstance(refused, TooManyRequestsException)
        assert refused.headers == {"Retry-After": str(RETRY_SECONDS)}
        assert imports.begun == ["anna", "anna", "bea"]

    run(test())


def test_the_queue_has_a_maximum_length() -> None:
    async def test() -> None:
        imports = Importing()
        tasks = [imports.start(f"person-{number}") for number in range(IMPORTS_WAITING_MAX + 2)]
        await settle()
        imports.end_all()
        *accepted, refusal = await asyncio.gather(*tasks, return_exceptions=True)

        assert accepted == [None] * (IMPORTS_WAITING_MAX + 1)
        assert isinstance(refusal, TooManyRequestsException)

    run(test())


def test_a_cancelled_import_leaves_the_queue() -> None:
    async def test() -> None:
        imports = Importing()
        first, waiting = imports.start("anna"), imports.start("bea")
        await settle()
        waiting.cancel()
        await settle()
        again = imports.start("bea")
        await settle()
        first.cancel()
        await settle()
        imports.end_all()
        await again

        assert imports.begun == ["anna", "bea"]

    run(test())


def test_a_failed_import_leaves_the_queue() -> None:
    async def test() -> None:
        queue = ImportQueue()
        with pytest.raises(ValueError, match="broken"):
            async with queue.turn("anna"):
                raise ValueError("broken")
        async with queue.turn("anna"):
            pass

    run(test())
