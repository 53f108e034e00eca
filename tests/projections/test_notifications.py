"""The notices that hold, as the read model keeps them: equal to a fold of each log by itself."""

from uuid import UUID

from domain.matches.application import Matches
from domain.matches.facts import Clock, Table
from domain.notifications.notices import Notice, next_notices
from projections import notifications
from projections.loop import Loop
from projections.rebuild import rebuild
from projections.store import ReadStore
from tests.projections.tables import BOT, acted, at, opened, played

ANN, BEN = "ann", "ben"
DAY = 24 * 3600
TABLE = Table(clock=Clock("correspondence", DAY))


def due(store: ReadStore, seconds: float, after: float = -DAY) -> tuple[notifications.MatchNotice, ...]:
    return notifications.due(store, at(after), at(seconds), 100)


def folded(matches: Matches, number: int) -> set[Notice]:
    match = matches.get(opened_id(number))
    notices = tuple[Notice, ...]()
    for version in range(1, match.version + 1):
        notices = next_notices(notices, matches.at(match.id, version))
    return set(notices)


def opened_id(number: int) -> UUID:
    return UUID(int=number)


def test_what_holds_is_what_a_fold_says_however_it_is_followed(matches: Matches, any_store: ReadStore) -> None:
    loop = Loop(matches, any_store, (notifications,))
    first = opened(matches, 1, (ANN, BEN), TABLE)
    loop.catch_up()
    played(matches, opened(matches, 2, (ANN, BOT, BEN)))
    acted(matches, first, 0, 60)
    loop.catch_up()

    kept = due(any_store, 10 * DAY)

    for number in (1, 2):
        found = [each.notice for each in kept if each.line_id == opened_id(number)]
        assert len(found) == len(set(found))
        assert set(found) == folded(matches, number)
    assert {each.notice.kind for each in kept} == {"turn", "clock", "result"}


def test_a_notice_is_found_when_it_is_due_and_has_one_topic_for_ever(matches: Matches, store: ReadStore) -> None:
    match = opened(matches, 1, (ANN, BEN), TABLE)
    loop = Loop(matches, store, (notifications,))
    loop.catch_up()
    turn = f"turn-{match.id.hex}-{match.version}"

    now = due(store, 1)
    later = due(store, DAY, after=1)

    assert [(each.topic, each.notice.person) for each in now] == [(turn, ANN), (turn, BEN)]
    assert [each.notice.kind for each in later] == ["clock", "clock"]
    rebuild([notifications.NAME], matches, store)
    assert (due(store, 1), due(store, DAY, after=1)) == (now, later)
