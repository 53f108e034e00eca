"""Announced absences by person and by event, as folded from the log."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Any, Final
from uuid import UUID

from domain.eventstore.application import Matches
from domain.matches.aggregate import Match
from domain.matches.facts import SERVICE, Clock, Table
from domain.matches.play.absence_commands import announce_absence, end_absence
from domain.matches.play.absences import DAY, MICROSECONDS
from domain.matches.seats.event_tables import seat_match
from projections.follow import FollowedStep
from projections.loop import FollowerLoop
from projections.matches import absences
from projections.platform.store import ReadStore, Transaction
from projections.rebuild import rebuild
from tests.domain.matches.match_helpers import TOY, build_ruling
from tests.projections.tables import START, at, open_started_match, play_match

PEOPLE: Final = ("anna", "bela")
BY_POST: Final = Table(clock=Clock("correspondence", 3 * DAY))
EVENT: Final = UUID(int=77)


def announce(matches: Matches, match: Match, seat: int, first: float, days: float, since: datetime = START) -> None:
    begin = int(START.timestamp() + first * DAY)
    fact = partial(announce_absence, seat=seat, by=SERVICE, first=begin, last=begin + int(days * DAY), at=since)
    matches.append(match.id, since, fact)


def absences_of(matches: Matches, store: ReadStore, person: str, since: float = 0) -> list[tuple[int, float, float]]:
    """Return match, start and end of the absences of a person, in days after the start."""
    FollowerLoop(matches, store, (absences,)).catch_up()
    return [
        (each.match_id.int, days_of(each.first), days_of(each.last))
        for each in absences.of_person(store, person, int((START.timestamp() + since * DAY) * MICROSECONDS))
    ]


def days_of(time: int) -> float:
    return (time / MICROSECONDS - START.timestamp()) / DAY


def test_absences_are_listed_until_they_end(matches: Matches, store: ReadStore) -> None:
    first, second = (open_started_match(matches, number, PEOPLE, BY_POST) for number in (1, 2))
    announce(matches, first, 0, 1, 3)
    announce(matches, first, 1, 2, 2)
    announce(matches, second, 0, 1, 3)
    assert absences_of(matches, store, "anna") == [(1, 1, 4), (2, 1, 4)]

    matches.append(first.id, at(2 * DAY), partial(end_absence, seat=0, by=SERVICE, at=at(2 * DAY)))
    assert absences_of(matches, store, "anna") == [(1, 1, 2), (2, 1, 4)]
    assert absences_of(matches, store, "anna", since=3) == [(2, 1, 4)]
    matches.append(second.id, START, partial(end_absence, seat=0, by=SERVICE, at=START))
    assert absences_of(matches, store, "anna") == [(1, 1, 2)]
    assert absences_of(matches, store, "bela") == [(1, 2, 4)]


def test_absences_end_with_their_match(matches: Matches, store: ReadStore) -> None:
    match = open_started_match(matches, 1, PEOPLE, BY_POST)
    announce(matches, match, 0, 0, 2)
    absences_of(matches, store, "anna")
    matches.pause(match.id, SERVICE, at=at(DAY))
    matches.resume(match.id, SERVICE, at=at(DAY))
    announce(matches, match, 1, 5, 2, at(DAY))
    ended = play_match(matches, matches.get(match.id))

    assert absences_of(matches, store, "anna") == [(1, 0, days_of(round(ended.timestamp.timestamp()) * MICROSECONDS))]
    assert absences_of(matches, store, "bela") == []


def test_absences_end_with_their_match_before_a_later_ruling(matches: Matches, store: ReadStore) -> None:
    match = open_started_match(matches, 1, PEOPLE, BY_POST)
    announce(matches, match, 0, 1, 30)
    matches.pause(match.id, SERVICE, at=at(5 * DAY))
    matches.resume(match.id, SERVICE, at=at(5 * DAY))
    ended = play_match(matches, matches.get(match.id))
    matches.append(match.id, at(20 * DAY), lambda _: build_ruling("late", at=ended.version - 1))

    assert absences_of(matches, store, "anna") == [(1, 1, days_of(round(ended.timestamp.timestamp()) * MICROSECONDS))]


def test_a_batch_reads_the_absences_of_all_its_matches_at_once(matches: Matches, store: ReadStore) -> None:
    for number in range(1, 6):
        announce(matches, open_started_match(matches, number, PEOPLE, BY_POST), 0, 1, 3)
    reads = list[Any]()

    class Counting:
        NAME, SHAPE, TABLES, SLICED = absences.NAME, absences.SHAPE, absences.TABLES, False

        def follow(self, transaction: Transaction, steps: Sequence[FollowedStep]) -> None:
            absences.follow(Noting(transaction), steps)  # type: ignore[arg-type]

    class Noting:
        def __init__(self, transaction: Transaction) -> None:
            self.change = transaction.change
            self._rows = transaction.rows

        def rows(self, statement: Any, **named: Any) -> Any:
            reads.append(named)
            return self._rows(statement, **named)

    FollowerLoop(matches, store, (Counting(),)).catch_up()

    assert [len(each["match_ids"]) for each in reads] == [5]
    assert len(absences.of_person(store, "anna")) == 5


def test_another_player_of_the_seat_has_absences_too(matches: Matches, store: ReadStore) -> None:
    match = open_started_match(matches, 1, PEOPLE, BY_POST)
    announce(matches, match, 0, 0, 3)
    absences_of(matches, store, "anna")
    matches.replace_seat(match.id, 0, SERVICE, actor="cora", at=at(DAY))
    announce(matches, match, 0, 2, 2, at(DAY))

    assert absences_of(matches, store, "anna") == [(1, 0, 1)]
    assert absences_of(matches, store, "cora") == [(1, 2, 4)]


def test_the_players_of_an_event_who_are_away(matches: Matches, store: ReadStore) -> None:
    match = matches.transact(
        lambda batch: seat_match(
            batch,
            TOY,
            UUID(int=1),
            of=EVENT,
            table=BY_POST,
            options={},
            players=PEOPLE,
            entrants=PEOPLE,
            seed=bytes(32),
        ),
        at=START,
    )
    for seat, person in enumerate(PEOPLE):
        matches.commit_share(match.id, seat, person, at=START)
    for seat, person in enumerate(PEOPLE):
        matches.ready(match.id, seat, person, at=START)
    announce(matches, match, 0, 3, 2)
    announce(matches, match, 1, 1, 2)
    FollowerLoop(matches, store, (absences,)).catch_up()
    since = int(START.timestamp()) * MICROSECONDS

    assert [each.person for each in absences.in_event(store, EVENT, since)] == ["bela", "anna"]
    assert [each.person for each in absences.in_event(store, EVENT, since + 4 * DAY * MICROSECONDS)] == ["anna"]
    assert absences.in_event(store, UUID(int=78), since) == ()


def test_a_rebuild_finds_the_same_absences(matches: Matches, store: ReadStore) -> None:
    match = open_started_match(matches, 1, PEOPLE, BY_POST)
    announce(matches, match, 0, 0, 3)
    matches.replace_seat(match.id, 0, SERVICE, actor="cora", at=at(DAY))
    before = absences_of(matches, store, "anna")
    rebuild([absences.NAME], matches, store)

    assert absences_of(matches, store, "anna") == before == [(1, 0, 1)]
