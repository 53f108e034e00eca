"""Lists of clubs, of their members and events, and of the clubs of a person."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import pytest

from domain.clubs import event_list, membership, offices
from domain.clubs.commands import change_club, found_club, remove_person
from domain.clubs.facts import ClubFounded
from domain.clubs.state import CLUB
from domain.eventstore.application import Matches
from projections import clubs
from projections.clubs import ClubRow
from projections.loop import FollowerLoop
from projections.platform.database import Row
from projections.platform.store import ReadStore
from projections.rebuild import rebuild
from tests.projections.tables import at, matches_in

A: Final = UUID(int=1)
B: Final = UUID(int=2)
EVENTS: Final = tuple(UUID(int=number) for number in range(11, 15))
PEOPLE: Final = ("olga", "ann", "ben", "cora", "dan", "eva")


def take(matches: Matches, club_id: UUID, decide: Callable[..., Any], *values: object, **named: object) -> None:
    """Change a club by a decision with these further arguments."""
    change_club(matches, club_id, lambda club: decide(club, *values, **named), at=at(1))


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Matches]:
    """Provide two clubs with people in every relation."""
    with matches_in(tmp_path / "log.db") as matches:
        for club in (A, B):
            found_club(matches, club, ClubFounded("olga", "request"), at=at(0))
            for person in ("ann", "ben", "cora"):
                take(matches, club, membership.invite, "olga", person)
        for person in ("ann", "ben", "dan", "eva"):
            take(matches, A, membership.join, person, at(1))
        take(matches, A, membership.answer_request, "olga", "eva", accept=False)
        take(matches, A, offices.give_role, "olga", "ann", "organiser")
        for number, event in enumerate(EVENTS):
            take(matches, A, event_list.add_event, "ann", event, "league" if number == 3 else "tournament")
        take(matches, A, event_list.remove_event, "ann", EVENTS[1], organises_event=False)
        yield matches


@pytest.fixture
def store(any_store: ReadStore) -> ReadStore:
    return any_store


def rows(store: ReadStore) -> dict[str, list[Row]]:
    return {table: sorted(store.rows(f"SELECT * FROM {table}"), key=repr) for table in clubs.TABLES}


def test_lists_follow_the_clubs(matches: Matches, store: ReadStore) -> None:
    FollowerLoop(matches, store, (clubs,)).catch_up()

    assert clubs.rows_of(store, (A, B, EVENTS[0])) == {A: ClubRow(3, True), B: ClubRow(1, True)}
    assert clubs.rows_of(store, ()) == {}
    first = clubs.members_of(store, A, 2)
    rest = clubs.members_of(store, A, 2, first.next)
    assert [(row.person, row.role) for row in (*first.items, *rest.items)] == [
        ("ben", "member"),
        ("ann", "organiser"),
        ("olga", "owner"),
    ]
    assert rest.next is None
    assert clubs.clubs_of(store, "olga") == ((A, "owner"), (B, "owner"))
    assert clubs.clubs_of(store, "ann") == ((A, "organiser"),)
    assert clubs.invitations_of(store, "cora") == (B, A)
    assert clubs.requests_of(store, "dan") == (A,)
    assert clubs.requests_of(store, "eva") == ()
    assert [row.event_id for row in clubs.events_of(store, A, "tournament").items] == [EVENTS[2], EVENTS[0]]
    assert [row.event_id for row in clubs.events_of(store, A, "league").items] == [EVENTS[3]]
    assert clubs.clubs_of_event(store, EVENTS[3]) == (A,)
    assert clubs.clubs_of_event(store, EVENTS[1]) == ()


def test_a_person_who_is_gone_is_in_no_list(matches: Matches, store: ReadStore) -> None:
    loop = FollowerLoop(matches, store, (clubs,))
    loop.catch_up()
    for person in PEOPLE[1:]:
        for club in clubs.load_known_clubs(store, person).club_ids:
            remove_person(matches, club, person, at=at(6))
    take(matches, A, offices.close, "olga")
    take(matches, B, membership.invite, "olga", "eva")
    take(matches, B, membership.leave, "olga")
    loop.catch_up()

    assert [clubs.load_known_clubs(store, person).club_ids for person in PEOPLE] == [(A,), (), (), (), (), ()]
    assert clubs.rows_of(store, (A, B)) == {A: ClubRow(1, False), B: ClubRow(0, False)}


@pytest.mark.parametrize("entries", [1, 10_000])
def test_a_rebuild_gives_the_same_rows(matches: Matches, store: ReadStore, entries: int) -> None:
    FollowerLoop(matches, store, (clubs,)).catch_up()
    before = rows(store)
    ordinary = {
        (person, str(club_id)): matches.streams.get(CLUB, club_id).state.standing(person)
        for person in PEOPLE
        for club_id in (A, B)
    }

    rebuild([clubs.NAME], matches, store, entries=entries)

    assert rows(store) == before
    assert {(row[0], row[1]): row[2] for row in before["club_people"]} == {
        key: standing for key, standing in ordinary.items() if standing
    }
