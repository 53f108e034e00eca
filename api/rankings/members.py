"""The people in the list of a club or a country."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from uuid import UUID

from api.accounts.service import AccountService
from api.http.writer import OneWriter
from domain.matches.facts import Actor
from domain.rankings.rule import PeopleFilter
from projections import clubs
from projections.platform.store import ReadStore

MEMBERS_AT_ONCE: Final = 1_000


async def load_members(writer: OneWriter, accounts: AccountService, people: PeopleFilter) -> frozenset[Actor]:
    """Return the people that a list names; empty for a list of everyone."""
    if people.club:
        return await writer.read_model(members_of_club, UUID(people.club))
    if people.country:
        return await accounts.load_people_in(people.country)
    return frozenset()


def members_of_club(store: ReadStore, club_id: UUID) -> frozenset[Actor]:
    """Return all members of a club."""
    return frozenset(_each_member(store, club_id))


def _each_member(store: ReadStore, club_id: UUID) -> Iterator[Actor]:
    before: int | None = None
    while True:
        page = clubs.members_of(store, club_id, MEMBERS_AT_ONCE, before)
        yield from (member.person for member in page.items)
        before = page.next
        if before is None:
            return
