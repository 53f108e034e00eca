"""Parts of a service that list what requests made them record, for tests of side effects."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from litestar.types import Scope

from api.integrity.addresses import AddressNotes
from api.matches.fast_routes import FastRoutes
from api.web.limits import Limits
from api.web.metrics import Metrics, method_and_route
from projections.platform.settings import Settings

WAIT_SECONDS: Final = 7


class ListedMetrics(Metrics):
    """Metrics that list method, route and status of every response."""

    def __init__(self) -> None:
        super().__init__()
        self.counted = list[tuple[str, str, int]]()

    def count(self, scope: Scope, status: int, seconds: float) -> None:
        self.counted.append((*method_and_route(scope), status))
        super().count(scope, status, seconds)


class CountedLimits(Limits):
    """Limits that list every count."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.spent = list[tuple[str, str]]()
        self.exhausted = set[str]()
        """Who has to wait for `WAIT_SECONDS`, whatever was counted."""

    async def spend(self, kind: Any, who: str, cost: int = 1) -> int | None:
        self.spent.append((kind, who))
        if who in self.exhausted:
            return WAIT_SECONDS
        return await super().spend(kind, who, cost)


class ListedNotes(AddressNotes):
    """Address notes that list the people who were noted."""

    def __init__(self, notes: AddressNotes) -> None:
        super().__init__(notes.store, notes._salt)
        self.people = list[str]()

    async def note(self, person: str, address: str, at: datetime) -> None:
        self.people.append(person)
        await super().note(person, address, at)


class CountedFastRoutes(FastRoutes):
    """Fast routes that count the requests they answer."""

    answered = 0

    async def take(self, *args: Any) -> Any:
        rest = await super().take(*args)
        self.answered += rest is None
        return rest
