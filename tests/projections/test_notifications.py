"""Stored notices equal a fold of each log, in order of the log."""

from uuid import UUID

import msgspec

from domain.eventstore.application import Matches
from domain.matches.facts import Clock, Table
from domain.notifications.turns import Notice, next_notices
from domain.tournaments import commands, facts
from domain.tournaments.invited import PersonInvited
from projections import notifications
from projections.loop import Loop
from projections.platform.store import ReadStore
from projections.rebuild import rebuild
from tests.domain.tournaments.building import plan_with
from tests.projections.tables import BOT, acted, at, opened, played

ANN, BEN = "ann", "ben"
DAY = 24 * 3600
TABLE = Table(clock=Clock("correspondence", DAY))


def noted(store: ReadStore, after: int = 0) -> tuple[notifications.NotedNotice, ...]:
    return notifications.noted_after(store, after, 100)[0]


def folded(matches: Matches, number: int) -> set[Notice]:
    """Return the notices at the end of a fold."""
    match = matches.get(UUID(int=number))
    notices = tuple[Notice, ...]()
    for version in range(1, match.version + 1):
        notices = next_notices(notices, matches.at(match.id, version))
    return set(notices)


def test_stored_notices_equal_a_fold_for_any_batches(matches: Matches, any_store: ReadStore) -> None:
    loop = Loop(matches, any_store, (notifications,))
    first = opened(matches, 1, (ANN, BEN), TABLE)
    loop.catch_up()
    played(matches, opened(matches, 2, (ANN, BOT, BEN)))
    acted(matches, first, 0, 60)
    loop.catch_up()

    kept = noted(any_store)

    for number in (1, 2):
        told = {(each.kind, each.person, each.version, each.due) for each in kept if each.stream_id.int == number}
        assert told == {msgspec.structs.astuple(each) for each in folded(matches, number)}
    assert {each.kind for each in kept} == {"turn", "clock", "result"}
    rebuild([notifications.NAME], matches, any_store)
    assert noted(any_store) == kept


def test_a_reader_that_continues_from_a_position_misses_nothing(matches: Matches, store: ReadStore) -> None:
    loop = Loop(matches, store, (notifications,))
    early = opened(matches, 1, (ANN, BEN), TABLE)
    late = opened(matches, 2, (ANN, BEN), TABLE)
    loop.catch_up()
    _, upto = notifications.noted_after(store, 0, 100)

    acted(matches, early, 0, -3600)
    acted(matches, late, 1, 7200)
    loop.catch_up()
    some, there = notifications.noted_after(store, 0, 3)

    assert [each.stream_id.int for each in noted(store, upto)] == []
    assert {each.position for each in some} == {there}
    assert {each.fact for each in some} == {
        f"turn-{early.id.hex}-{early.version}",
        f"clock-{early.id.hex}-{early.version}",
    }
    assert notifications.noted_after(store, matches.last_position(), 100) == ((), matches.last_position())


def test_records_are_noted_for_named_people_or_without_a_person(matches: Matches, store: ReadStore) -> None:
    event = UUID(int=7)
    commands.open_tournament(matches, event, plan_with(title="toy", size=2), "olga", at=at(0))
    commands.change(matches, event, lambda _: PersonInvited("olga", ANN), at=at(1))
    commands.change(matches, event, lambda _: facts.Announced("olga", "Lunch"), at=at(2))

    Loop(matches, store, (notifications,)).catch_up()

    told = [(each.kind, each.what, each.person, each.fact) for each in noted(store)]
    assert told == [
        ("invitation", "tournament", ANN, f"invitation-{event.hex}-2"),
        ("reminder", "announced", "", f"reminder-{event.hex}-3"),
    ]
