"""Stored notices equal a fold of each log, in order of the log."""

from uuid import UUID

import msgspec

from domain.eventstore.application import Matches
from domain.matches.facts import Clock, Table
from domain.notifications.turns import Notice, next_notices
from domain.tournaments import commands, facts
from domain.tournaments.invitation_facts import PersonInvited
from projections import notifications
from projections.loop import FollowerLoop
from projections.platform.store import ReadStore
from projections.rebuild import rebuild
from tests.domain.tournaments.building import plan_with
from tests.projections.tables import BOT, at, open_started_match, play_match, take_action

ANN, BEN = "ann", "ben"
DAY = 24 * 3600
TABLE = Table(clock=Clock("correspondence", DAY))


def stored_notices(store: ReadStore, after: int = 0) -> tuple[notifications.NotedNotice, ...]:
    return notifications.list_notices_after(store, after, 100)[0]


def fold_notices(matches: Matches, number: int) -> set[Notice]:
    """Return the notices at the end of a fold."""
    match = matches.get(UUID(int=number))
    notices = tuple[Notice, ...]()
    for version in range(1, match.version + 1):
        notices = next_notices(notices, matches.at(match.id, version))
    return set(notices)


def test_stored_notices_equal_a_fold_for_any_batches(matches: Matches, any_store: ReadStore) -> None:
    loop = FollowerLoop(matches, any_store, (notifications,))
    first = open_started_match(matches, 1, (ANN, BEN), TABLE)
    loop.catch_up()
    play_match(matches, open_started_match(matches, 2, (ANN, BOT, BEN)))
    take_action(matches, first, 0, 60)
    loop.catch_up()

    stored = stored_notices(any_store)

    for number in (1, 2):
        rows = {(each.kind, each.person, each.version, each.due) for each in stored if each.stream_id.int == number}
        assert rows == {msgspec.structs.astuple(each) for each in fold_notices(matches, number)}
    assert {each.kind for each in stored} == {"turn", "clock", "hour", "result"}
    rebuild([notifications.NAME], matches, any_store)
    assert stored_notices(any_store) == stored


def test_a_reader_that_continues_from_a_position_misses_nothing(matches: Matches, store: ReadStore) -> None:
    loop = FollowerLoop(matches, store, (notifications,))
    early = open_started_match(matches, 1, (ANN, BEN), TABLE)
    late = open_started_match(matches, 2, (ANN, BEN), TABLE)
    loop.catch_up()
    _, upto = notifications.list_notices_after(store, 0, 100)

    take_action(matches, early, 0, -3600)
    take_action(matches, late, 1, 7200)
    loop.catch_up()
    some, position = notifications.list_notices_after(store, 0, 3)

    assert [each.stream_id.int for each in stored_notices(store, upto)] == []
    assert {each.position for each in some} == {position}
    assert {each.fact for each in some} == {
        f"turn-{early.id.hex}-{early.version}",
        f"clock-{early.id.hex}-{early.version}",
        f"hour-{early.id.hex}-{early.version}",
    }
    assert notifications.list_notices_after(store, matches.last_position(), 100) == ((), matches.last_position())


def test_records_are_noted_for_named_people_or_without_a_person(matches: Matches, store: ReadStore) -> None:
    event = UUID(int=7)
    commands.open_tournament(matches, event, plan_with(title="toy", size=2), "olga", at=at(0))
    commands.change(matches, event, lambda _: PersonInvited("olga", ANN), at=at(1))
    commands.change(matches, event, lambda _: facts.Announced("olga", "Lunch"), at=at(2))

    FollowerLoop(matches, store, (notifications,)).catch_up()

    notices = [(each.kind, each.what, each.person, each.fact) for each in stored_notices(store)]
    assert notices == [
        ("invitation", "tournament", ANN, f"invitation-{event.hex}-2"),
        ("reminder", "announced", "", f"reminder-{event.hex}-3"),
    ]
