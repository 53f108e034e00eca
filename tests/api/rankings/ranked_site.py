"""A service with people and their results, whose clock a test moves from month to month."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from litestar.testing import TestClient

from api.accounts.people import PEOPLE
from api.accounts.service import ACCOUNTS
from api.matches.service import MATCHES
from api.rankings.freezing import RankingDuties
from domain.rankings.duties import FREEZE
from domain.rankings.rule import ranking_id
from domain.rankings.state import RANKING
from domain.ratings.ladder import RatedResult
from projections.platform.clock import CLOCK
from projections.ratings import ladders
from tests.api.service import Member, account_of, catch_up, make_operator, settings_in
from tests.seeding import entropy
from tests.service_app import create_app

START: Final = datetime(2027, 1, 10, tzinfo=UTC)
NAMES: Final = ("Ann", "Ben", "Cleo", "Dora", "Olga")
TITLE: Final = "el_grande"
KEY: Final = "el-grande-3"


@dataclass
class Hands:
    """A clock that a test sets."""

    at: datetime

    def __call__(self) -> datetime:
        return self.at


@dataclass
class RankedSite:
    """The service, four people, an administrator, and results that are noted as the projection of ratings does."""

    client: TestClient[Any]
    clock: Hands
    start: datetime
    people: dict[str, Member]
    admin: Member

    def plays(self, number: int, names: Sequence[str], *, days: float = 0.0, **changes: Any) -> None:
        """Note a result in the order of places; one of the same number replaces it, as a ruling does."""
        players = tuple(self.people[name].id if name in self.people else name for name in names)
        places = tuple(range(1, 1 + len(players)))
        result = RatedResult(
            UUID(int=number), TITLE, self.start + timedelta(days=days), players, places, seats=len(players), **changes
        )
        self._note(number, result)

    def voids(self, number: int) -> None:
        """Take a result back."""
        self._note(number, None)

    def _note(self, number: int, result: RatedResult | None) -> None:
        reads = MATCHES.of(self.client).writer.reads
        with reads.transaction() as transaction:
            head = f"{number:064x}"
            ladders.note(transaction, str(UUID(int=number)), result, head=head, clock="standard")
        with reads.consumer_transaction(rewrites=True) as transaction:
            while ladders.do_deferred_work(transaction):
                pass

    def defines_standard_lists(self) -> None:
        """Let the service define the standard lists for which results count."""
        self.calls(lambda duties: duties.define_standard_lists())

    def freezes(self, at: datetime, key: str = KEY) -> None:
        """Let the service freeze the next month of a list at this time."""
        self.clock.at = at
        self.calls(lambda duties: duties.take_step(ranking_id(key), FREEZE, self.version(key)))
        catch_up(self.client)

    def calls(self, step: Callable[[RankingDuties], Any]) -> None:
        """Run a step of the service, and projections meanwhile, because other loops of the service write records."""

        async def run() -> None:
            CLOCK.set(self.clock)
            await step(RankingDuties(MATCHES.of(self.client), ACCOUNTS.of(self.client)))

        done = self.client.blocking_portal.start_task_soon(run)
        while not done.done():
            catch_up(self.client)
        done.result()

    def states_country(self, name: str, country: str) -> None:
        """Store the country of a person."""
        PEOPLE.of(self.client).countries.set_country(self.people[name].id, country)

    def session_of(self, person: Member) -> str:
        """Start a session of a person, which lasts from the time of the service on."""
        return PEOPLE.of(self.client).access.start_session(account_of(self.client, person.id), self.clock())

    def version(self, key: str = KEY) -> int:
        """Return the version of a list."""
        return MATCHES.of(self.client).writer.matches.streams.get(RANKING, ranking_id(key)).version

    def get(self, path: str) -> Any:
        response = self.client.get(f"/api/rankings{path}")
        assert response.status_code == 200, response.text
        return response.json()

    def refusal_of(self, path: str) -> tuple[int, str]:
        response = self.client.get(f"/api/rankings{path}")
        return response.status_code, response.json()["code"]


@contextmanager
def open_site(folder: Path, start: datetime = START, names: Sequence[str] = NAMES) -> Iterator[RankedSite]:
    """Start the service at a time, with these people; the last one is an administrator."""
    clock = Hands(start)
    with TestClient(create_app(settings_in(folder), entropy(), clock=clock)) as client:
        *people, admin = (Member(client, name) for name in names)
        make_operator(client, admin.id)
        yield RankedSite(client, clock, start, {person.name: person for person in people}, admin)
