"""Invitations count only after all other checks, and lists are checked as a whole."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest
from litestar.testing import TestClient

from api.accounts.people import PEOPLE, People
from api.accounts.service import AccountService
from api.accounts.store import is_on_loop
from api.http.limits import INVITATIONS_TO_ONE_PER_DAY, ContactKind
from projections.platform.statements import Statement
from tests.api.friends.test_blocks import LEAGUE, opened_event, opened_study, shares_a_study
from tests.api.service import Member, Person
from tests.seeding import entropy

AT: Final = datetime(2026, 1, 1, tzinfo=UTC)
MANY: Final = 320
"""More than the former limit of 300 invitations an hour."""


class CountingPeople(People):
    """A store that counts its queries, in total and on the event loop."""

    queries = 0
    on_loop = 0

    def rows(self, statement: Statement, /, *values: Any, **named: Any) -> list[Any]:
        self.queries += 1
        self.on_loop += is_on_loop()
        return super().rows(statement, *values, **named)


class UnlimitedLimits:
    """Limits that allow everything."""

    async def count_password_attempt(self, name: str) -> None: ...

    async def reset_password_attempts(self, name: str) -> None: ...

    def exclude_newcomer(self) -> None: ...

    async def count_contacts(self, kind: ContactKind, by: str, others: Iterable[str]) -> None: ...


@pytest.fixture
def people(tmp_path: Path) -> Iterator[CountingPeople]:
    with closing(CountingPeople(tmp_path / "people.db", entropy())) as people:
        yield people


def opened_season(person: Person) -> str:
    league = str(person.post("/leagues", {"plan": LEAGUE})[1]["leagueId"])
    assert person.post(f"/leagues/{league}/seasons", {"name": "Spring"})[0] == 201
    return f"/leagues/{league}"


def upload_players(person: Person, path: str, lines: Iterable[str]) -> tuple[int, Any]:
    content = "\n".join(lines).encode()
    response = person.client.post(f"/api{path}/files/players", content=content, headers=person.headers)
    return response.status_code, response.json()


def of_an_event(person: Person, ids: Iterable[str], *more: str) -> Callable[[], tuple[int, Any]]:
    path, rows = f"/tournaments/{opened_event(person)}", [f"P{number},{id}" for number, id in enumerate(ids)]
    return lambda: upload_players(person, path, ("name,person", *rows, *(f"X,{each}" for each in more)))


def of_a_league(person: Person, ids: Iterable[str], *more: str) -> Callable[[], tuple[int, Any]]:
    path = opened_season(person)
    return lambda: upload_players(person, path, ("player", *ids, *more))


@pytest.mark.parametrize("file", [of_an_event, of_a_league])
def test_a_long_list_of_accounts_can_be_invited(client: TestClient[Any], cleo: Member, file: Any) -> None:
    people = PEOPLE.of(client)
    status, body = file(cleo, [people.create_guest(AT).id for _ in range(MANY)])()

    assert (status, body["count"]) == (201, MANY)


@pytest.mark.parametrize("file", [of_an_event, of_a_league])
def test_rejected_and_repeated_files_do_not_count(cleo: Member, dora: Member, file: Any) -> None:
    bad, good = file(cleo, [dora.id], "nobody-of-this-name"), file(cleo, [dora.id])
    for _ in range(INVITATIONS_TO_ONE_PER_DAY + 1):
        assert bad()[0] == 422
    for _ in range(INVITATIONS_TO_ONE_PER_DAY + 1):
        assert good()[0] in {200, 201}

    assert file(cleo, [dora.id])()[0] == 201


@pytest.mark.parametrize(
    "kind",
    [
        (lambda by: f"/tournaments/{opened_event(by)}", "name,person", "X,{}", {"accept": False}),
        (opened_season, "player", "{}", {"accept": False, "season": 1}),
    ],
    ids=["event", "league"],
)
def test_a_list_skips_people_who_declined(cleo: Member, dora: Member, emil: Member, kind: Any) -> None:
    path, heading, row, declined = kind
    path = path(cleo)
    assert upload_players(cleo, path, (heading, row.format(dora.id)))[0] == 201
    assert dora.post(f"{path}/invitation", declined)[0] == 200

    status, body = upload_players(cleo, path, (heading, row.format(dora.id), row.format(emil.id)))

    assert (status, body["count"]) == (201, 1)


def test_rejected_invitations_do_not_count(cleo: Member, dora: Member) -> None:
    event, study = opened_event(cleo), opened_study(cleo)
    for path, wanted in (
        (f"/tournaments/{event}/entries", {"person": dora.id}),
        ("/roles", {"person": dora.id, "role": "arbiter", "granted": True, "event": event}),
    ):
        for _ in range(INVITATIONS_TO_ONE_PER_DAY):
            cleo.post(path, wanted)
    for _ in range(INVITATIONS_TO_ONE_PER_DAY):
        cleo.client.patch(f"/api/studies/{study}", json={"add": [dora.id]}, headers=cleo.headers)

    assert shares_a_study(cleo, dora)[0] == 200


def test_queries_for_a_list_are_constant_and_off_the_event_loop(people: CountingPeople) -> None:
    accounts = [people.create_guest(AT) for _ in range(40)]
    by, organiser, *others = (account.id for account in accounts)
    names = [account.name for account in accounts]

    def queries(count: int) -> int:
        before = people.queries

        async def ask() -> None:
            with ThreadPoolExecutor() as threads:
                service = AccountService(people, threads, threads, UnlimitedLimits())
                assert len(await service.all_named([*others[:count], *names[:count]])) == 2 * count
                await service.count_contact(by, others[:count], organiser=organiser)

        asyncio.run(ask())
        return people.queries - before

    assert queries(10) == queries(20) == 5
    assert people.on_loop == 0
