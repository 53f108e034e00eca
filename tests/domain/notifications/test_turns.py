"""Notifications of a match, entry by entry."""

from datetime import datetime, timedelta

import msgspec
import pytest

from domain.eventstore.application import Matches
from domain.matches.aggregate import Match, Origin, legal_actions
from domain.matches.facts import Clock, Table
from domain.matches.play.absence_commands import announce_absence
from domain.matches.rulings.measures import MatchVoided
from domain.notifications.turns import Notice, due_now, is_current, next_notices
from tests.domain.matches.match_helpers import BOT, START, apply_ruling, build_ruling, next_action, start_match, uuid

ANN, BEN = "ann", "ben"
HOUR = 3600
TIMED = Table(clock=Clock("per_move", HOUR))


def after(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


def us(seconds: float) -> int:
    return int((START.timestamp() + seconds) * 1_000_000)


def act_at(matches: Matches, match: Match, seat: int, seconds: float, index: int = 0) -> Match:
    actor = match.seats[seat].actor
    assert actor is not None
    action = legal_actions(match, seat)[index]
    return matches.act(match.id, seat, actor, action, expected_version=match.version, at=after(seconds))


def kinds(notices: tuple[Notice, ...]) -> list[tuple[str, str]]:
    return [(notice.kind, notice.person) for notice in notices]


def test_all_people_to_act_are_notified_but_no_bots(matches: Matches) -> None:
    match = start_match(matches, uuid(1), (ANN, BOT, BEN))

    assert next_notices((), match) == (
        Notice("turn", ANN, match.version, us(0)),
        Notice("turn", BEN, match.version, us(0)),
    )


def test_a_player_who_has_chosen_has_no_notice_and_other_turns_stay(matches: Matches) -> None:
    match = start_match(matches, uuid(1), (ANN, BEN))
    before = next_notices((), match)

    after_ann = next_notices(before, act_at(matches, match, 0, 60))

    assert after_ann == before[1:]


def test_players_are_notified_when_a_quarter_of_the_time_is_left(matches: Matches) -> None:
    match = start_match(matches, uuid(1), (ANN, BEN), table=TIMED)

    notices = next_notices((), match)

    assert [notice.due for notice in notices if notice.kind == "clock"] == [us(HOUR * 3 / 4)] * 2
    assert {notice.version for notice in notices} == {match.version}
    assert due_now(match, "clock", ANN) == us(HOUR * 3 / 4)
    assert (due_now(match, "turn", ANN), due_now(match, "clock", "eva")) == (None, None)
    assert kinds(next_notices(notices, act_at(matches, match, 1, 60))) == [("clock", ANN), ("turn", ANN)]


@pytest.mark.parametrize(
    ("clock", "due"),
    [
        (Clock("correspondence", 24 * HOUR), 23 * HOUR),
        (Clock("correspondence", 4 * HOUR), None),
        (Clock("per_move", 24 * HOUR), None),
        (Clock(), None),
    ],
)
def test_players_are_notified_once_an_hour_before_the_end_of_a_turn_by_correspondence(
    matches: Matches, clock: Clock, due: int | None
) -> None:
    match = start_match(matches, uuid(1), (ANN, BEN), table=Table(clock=clock))

    notices = next_notices((), match)

    expected = [] if due is None else [us(due)]
    assert [notice.due for notice in notices if notice.kind == "hour" and notice.person == ANN] == expected
    assert due_now(match, "hour", ANN) == next(iter(expected), None)
    later = next_notices(notices, act_at(matches, match, 1, 60))
    assert [each for each in later if each.person == ANN] == [each for each in notices if each.person == ANN]


def test_a_holiday_moves_the_notice_of_the_last_hour(matches: Matches) -> None:
    table = Table(clock=Clock("correspondence", 72 * HOUR))
    match = start_match(matches, uuid(1), (ANN, BEN), table=table)
    before = next_notices((), match)
    first, last = (int(START.timestamp()) + hours * HOUR for hours in (24, 72))

    away = matches.append(match.id, after(60), lambda found: announce_absence(found, 0, ANN, first, last, at=after(60)))

    due = {notice.person: notice.due for notice in next_notices(before, away) if notice.kind == "hour"}
    assert due == {ANN: us((71 + 48) * HOUR), BEN: us(71 * HOUR)}
    assert due_now(away, "hour", ANN) == due[ANN]


def test_a_pause_makes_no_new_turn_and_no_clock_notice(matches: Matches) -> None:
    match = start_match(matches, uuid(1), (ANN, BEN), table=TIMED)
    before = next_notices((), match)
    matches.ask_pause(match.id, 0, ANN, at=after(10))
    paused = matches.ask_pause(match.id, 1, BEN, at=after(10))
    assert paused.status == "paused"

    during = next_notices(before, paused)
    resumed = next_notices(during, matches.resume(match.id, ANN, at=after(100)))

    assert during == tuple(notice for notice in before if notice.kind == "turn")
    assert [notice for notice in resumed if notice.kind == "turn"] == list(during)
    assert {notice.due for notice in resumed if notice.kind == "clock"} == {us(HOUR * 3 / 4 + 90)}
    assert not is_current(paused, "turn", ANN)


def test_a_fork_has_no_notices_unless_a_ruling_made_it_official(matches: Matches) -> None:
    match = start_match(matches, uuid(1), (ANN, BEN))
    fork = msgspec.structs.replace(match, origin=Origin(uuid(2), 3, "fresh"))
    ruled = msgspec.structs.replace(fork, docket=msgspec.structs.replace(fork.docket, ruling="ruling"))
    what_if = msgspec.structs.replace(match, docket=msgspec.structs.replace(match.docket, dispute="dispute"))

    assert (next_notices((), fork), next_notices((), what_if)) == ((), ())
    assert kinds(next_notices((), ruled)) == [("turn", ANN), ("turn", BEN)]


def test_the_result_replaces_all_other_notices_at_the_end(matches: Matches) -> None:
    match, notices = start_match(matches, uuid(1), (ANN, BOT, BEN)), tuple[Notice, ...]()
    while not match.is_over:
        notices = next_notices(notices, match)
        seat, actor, action = next_action(match)
        match = matches.act(match.id, seat, actor, action, expected_version=match.version, at=START)
    ended = next_notices(notices, match)

    assert kinds(ended) == [("result", ANN), ("result", BEN)]
    assert next_notices(ended, match) == ended
    assert is_current(match, "result", ANN)
    assert not is_current(match, "turn", ANN)


def test_a_voided_match_has_no_notices(matches: Matches) -> None:
    match = start_match(matches, uuid(1), (ANN, BEN), table=TIMED)
    before = next_notices((), match)

    assert next_notices(before, apply_ruling(matches, match.id, build_ruling("voided", MatchVoided()))) == ()
