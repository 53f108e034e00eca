"""Rulings in the log: effects, rejections, and verification of the resulting logs."""

from typing import Any

import pytest

from domain.eventstore.application import Matches
from domain.eventstore.log_files import export_log
from domain.matches.aggregate import Match, seats_to_act, view
from domain.matches.errors import (
    ForkRefused,
    MatchOver,
    NotAllowed,
    PauseRefused,
    RulingRefused,
    UnknownActor,
    UnknownSeat,
    WrongSeatCount,
)
from domain.matches.facts import SERVICE, Clock, MatchEnded, Resumed, RulingGiven, Table
from domain.matches.forks import forking
from domain.matches.log.entries import ALL
from domain.matches.play import commands
from domain.matches.rulings.measures import LineResumed, MatchVoided, PointsTaken, ResultSet, SeatWarned, TimeTaken
from domain.matches.rulings.ruling import counted_result, points_taken, rulings_in_force
from tests.domain.matches import match_helpers
from tests.domain.matches.match_helpers import (
    ARBITER,
    BOT,
    START,
    apply_ruling,
    build_ruling,
    resume_match,
    start_match,
    uuid,
    verify_log,
)

M, R, S = uuid(1), uuid(2), uuid(3)
PEOPLE = ("anna", "bea", "carl")
PLAY = Table(pause_on_dispute=True, clock=Clock("per_move", 60), rated=True)


def some(matches: Matches, match: Match, count: int) -> Match:
    for _ in range(count):
        match = match_helpers.act_once(matches, match)
    return match


def running(matches: Matches) -> Match:
    return some(matches, start_match(matches, M, PEOPLE, table=PLAY), 6)


def play_whole_match(matches: Matches) -> Match:
    return match_helpers.play_out(matches, start_match(matches, M, PEOPLE, table=PLAY))


def test_a_ruling_without_measures_changes_nothing_but_the_log(sqlite: Matches) -> None:
    before = running(sqlite)

    match = apply_ruling(sqlite, M, build_ruling("one"))

    assert match.version == before.version + 1
    assert (match.state, match.status) == (before.state, "running")
    assert match.docket.rulings == (build_ruling("one"),)
    match_helpers.act_once(sqlite, match)
    verify_log(sqlite, M)


def test_points_are_taken_from_the_result_and_places_follow(sqlite: Matches) -> None:
    played = play_whole_match(sqlite).result
    assert played is not None
    winner = played.ranking.index(1)
    lead = max(played.scores) - min(played.scores)

    match = apply_ruling(sqlite, M, build_ruling("one", PointsTaken(winner, lead + 1), SeatWarned(0)))

    after = counted_result(match)
    assert after is not None
    assert after.scores[winner] == played.scores[winner] - lead - 1
    assert after.ranking[winner] == 3
    assert match.result == played, "what was played stays as it was"
    assert points_taken(match)[winner] == lead + 1
    assert match.status == "ended"
    verify_log(sqlite, M)


def test_who_was_penalised_loses_a_tie_and_the_resigned_stay_behind(sqlite: Matches) -> None:
    match = start_match(sqlite, M, (*PEOPLE, "dora"), table=PLAY)
    sqlite.resign(M, 3, "dora", at=START)
    apply_ruling(sqlite, M, build_ruling("set", ResultSet((5, 7, 5, 9), (2, 1, 2, 4))))

    match = apply_ruling(sqlite, M, build_ruling("less", PointsTaken(1, 2)))

    after = counted_result(match)
    assert after is not None
    assert after.scores == (5, 5, 5, 9)
    assert after.ranking == (1, 3, 1, 4)


def test_a_result_that_is_set_ends_a_running_match_with_it(sqlite: Matches) -> None:
    running(sqlite)

    match = apply_ruling(sqlite, M, build_ruling("set", ResultSet((3, 2, 1), (1, 2, 3))))

    assert match_helpers.facts(sqlite, M)[-1] == MatchEnded((3, 2, 1), (1, 2, 3))
    assert match.status == "ended"
    assert counted_result(match) == match.result
    with pytest.raises(MatchOver):
        sqlite.resign(M, 0, "anna", at=START)
    verify_log(sqlite, M)


def test_a_result_can_be_set_for_a_match_that_has_ended(sqlite: Matches) -> None:
    played = play_whole_match(sqlite)

    match = apply_ruling(sqlite, M, build_ruling("set", ResultSet((3, 2, 1), (1, 2, 3))))

    assert match.result == played.result
    result = counted_result(match)
    assert result is not None
    assert result.ranking == (1, 2, 3)
    assert not isinstance(match_helpers.facts(sqlite, M)[-1], MatchEnded)
    verify_log(sqlite, M)


@pytest.mark.parametrize("played", [running, play_whole_match])
def test_a_void_match_has_no_outcome_and_opens_its_secrets(sqlite: Matches, played: Any) -> None:
    played(sqlite)

    match = apply_ruling(sqlite, M, build_ruling("void", MatchVoided()))

    assert match.status == "void"
    assert counted_result(match) is None
    assert sqlite.lines.last_closed_version(M) == 0
    with pytest.raises(RulingRefused, match="is void"):
        apply_ruling(sqlite, M, build_ruling("more", PointsTaken(0, 1)))
    verify_log(sqlite, M)


def test_a_match_resumes_from_an_earlier_entry_as_another_line(sqlite: Matches) -> None:
    before = running(sqlite)
    at = before.version - 3

    line = resume_match(sqlite, M, at, R)

    parent = sqlite.get(M)
    assert parent.status == "superseded"
    assert view(parent, None) is None
    assert seats_to_act(parent) == ()
    assert (line.status, line.docket.ruling, line.table) == ("waiting", "resumed", before.table)
    assert [info.actor for info in line.seats] == list(PEOPLE)
    assert line.state == sqlite.at(M, at).state
    assert line.luck_id == R
    assert line.opened_by == "anna"
    with pytest.raises(MatchOver):
        match_helpers.act_once(sqlite, before)
    match_helpers.play_out(sqlite, line)
    verify_log(sqlite, M)
    verify_log(sqlite, R)


def test_the_replaced_part_is_closed_until_its_replacement_has_ended(sqlite: Matches) -> None:
    before = running(sqlite)
    at = before.version - 3
    line = resume_match(sqlite, M, at, R)
    whole = sqlite.get(M).version

    assert [entry.version for entry in sqlite.read(M, None)] == list(range(1, at + 1))
    assert export_log(sqlite, M, None).header.entries == at
    assert len(sqlite.read(M, ALL)) == whole
    assert sqlite.lines.last_closed_version(M) == whole
    assert sqlite.lines.last_visible_version(M) == at
    match_helpers.play_out(sqlite, line)
    assert [sqlite.lines.last_closed_version(id) for id in (M, R)] == [0, 0]
    assert len(sqlite.read(M, None)) == sqlite.lines.last_visible_version(M) == whole
    assert export_log(sqlite, M, None).header.redacted_for is None


def test_a_line_that_was_resumed_can_be_resumed_again_even_from_before(sqlite: Matches) -> None:
    before = running(sqlite)
    first = before.version - 2
    line = some(sqlite, match_helpers.make_all_ready(sqlite, resume_match(sqlite, M, first, R)), 2)

    again = resume_match(sqlite, R, first - 1, S, "again")

    assert again.origin is not None
    assert (again.origin.match_id, again.origin.version) == (M, first - 1)
    assert sqlite.get(R).docket.superseded_by == S
    assert sqlite.lines.last_visible_version(M) == sqlite.lines.last_visible_version(R) == first - 1
    assert all(sqlite.lines.is_running(id) for id in (M, R, S))
    match_helpers.play_out(sqlite, again)
    assert [sqlite.lines.last_closed_version(id) for id in (M, R, S)] == [0, 0, 0]
    assert line.docket.superseded_by is None
    for id in (M, R, S):
        verify_log(sqlite, id)


def test_a_what_if_belongs_to_no_table_and_keeps_its_parent_closed_while_it_runs(sqlite: Matches) -> None:
    match = running(sqlite)
    base = sqlite.at(M, match.version)
    seats = (BOT, BOT, BOT)
    fact = forking.fork(
        base, luck="fresh", by=ARBITER, seats=seats, seed=bytes(32), parent_is_over=False, dispute="dispute"
    )

    line = sqlite.transact(lambda batch: batch.fork(base, fact, R), at=START)

    assert (line.docket.dispute, line.table.public, line.table.rated) == ("dispute", False, False)
    assert line.opened_by == ARBITER
    match_helpers.play_out(sqlite, line)
    assert sqlite.lines.last_closed_version(R) == sqlite.get(R).version, "it shows what the parent hides"
    verify_log(sqlite, R)


def test_an_upheld_ruling_counts_and_an_overturned_one_does_not(sqlite: Matches) -> None:
    play_whole_match(sqlite)
    apply_ruling(sqlite, M, build_ruling("one", PointsTaken(0, 3)))
    upheld = apply_ruling(sqlite, M, build_ruling("two", appeal_of="one", upheld=True))
    assert points_taken(upheld) == (3, 0, 0)

    match = apply_ruling(sqlite, M, build_ruling("three", PointsTaken(0, 1), appeal_of="one"))

    assert points_taken(match) == (1, 0, 0)
    assert [fact.ruling for fact in rulings_in_force(match.docket.rulings)] == ["two", "three"]
    verify_log(sqlite, M)


def test_overturning_a_void_restores_the_result(sqlite: Matches) -> None:
    played = play_whole_match(sqlite)
    apply_ruling(sqlite, M, build_ruling("void", MatchVoided()))

    match = apply_ruling(sqlite, M, build_ruling("back", appeal_of="void"))

    assert (match.status, match.result) == ("ended", played.result)
    verify_log(sqlite, M)


def test_a_match_that_a_ruling_stopped_needs_another_decision_on_appeal(sqlite: Matches) -> None:
    running(sqlite)
    apply_ruling(sqlite, M, build_ruling("void", MatchVoided()))
    with pytest.raises(RulingRefused, match="was stopped by the ruling void: uphold it"):
        apply_ruling(sqlite, M, build_ruling("back", appeal_of="void"))
    assert apply_ruling(sqlite, M, build_ruling("yes", appeal_of="void", upheld=True)).status == "void"

    match = apply_ruling(sqlite, M, build_ruling("set", ResultSet((3, 2, 1), (1, 2, 3)), appeal_of="void"))

    assert match.status == "ended"
    result = counted_result(match)
    assert result is not None
    assert result.scores == (3, 2, 1)
    verify_log(sqlite, M)


def test_a_result_that_was_set_can_be_withdrawn_by_resuming(sqlite: Matches) -> None:
    before = running(sqlite)
    apply_ruling(sqlite, M, build_ruling("set", ResultSet((3, 2, 1), (1, 2, 3))))
    fact = build_ruling("on", LineResumed(before.version, str(R)), appeal_of="set")

    match = apply_ruling(sqlite, M, fact)

    assert match.status == "superseded"
    verify_log(sqlite, M)


def test_a_match_held_for_a_dispute_goes_on_when_that_is_ruled_on(sqlite: Matches) -> None:
    running(sqlite)
    paused = sqlite.transact(
        lambda batch: batch.append(M, lambda match: commands.pause(match, SERVICE, "dispute")), at=START
    )
    with pytest.raises(PauseRefused, match="is paused until the ruling"):
        sqlite.resume(M, "anna", at=START)
    with pytest.raises(PauseRefused, match="is already waiting for a ruling"):
        commands.pause(paused, SERVICE, "another")
    other = build_ruling("other")
    assert apply_ruling(sqlite, M, replace_fields(other, dispute="another")).status == "paused"

    match = apply_ruling(sqlite, M, build_ruling("one", TimeTaken(1, 5)))

    assert (paused.status, paused.docket.held_by) == ("paused", "dispute")
    assert (match.status, match.docket.held_by) == ("running", "")
    assert match_helpers.facts(sqlite, M)[-1] == Resumed(SERVICE)
    verify_log(sqlite, M)


def replace_fields(fact: RulingGiven, **changes: Any) -> RulingGiven:
    values = {name: getattr(fact, name) for name in fact.__struct_fields__} | changes
    return RulingGiven(**values)


def test_a_pause_the_players_asked_for_can_be_held_and_the_service_lets_go(sqlite: Matches) -> None:
    running(sqlite)
    for seat, player in enumerate(PEOPLE):
        sqlite.ask_pause(M, seat, player, at=START)
    sqlite.transact(lambda batch: batch.append(M, lambda match: commands.pause(match, SERVICE, "dispute")), at=START)

    match = sqlite.resume(M, SERVICE, at=START)

    assert (match.status, match.docket.held_by) == ("running", "")
    verify_log(sqlite, M)


def test_a_ruling_may_end_a_match_that_is_held(sqlite: Matches) -> None:
    running(sqlite)
    sqlite.transact(lambda batch: batch.append(M, lambda match: commands.pause(match, SERVICE, "dispute")), at=START)

    assert apply_ruling(sqlite, M, build_ruling("set", ResultSet((3, 2, 1), (1, 2, 3)))).status == "ended"
    verify_log(sqlite, M)


@pytest.mark.parametrize(
    ("fact", "refusal", "why"),
    [
        (replace_fields(build_ruling("x"), by="service"), UnknownActor, "'service'"),
        (replace_fields(build_ruling("x"), by="anna"), NotAllowed, "'anna' plays in match"),
        (replace_fields(build_ruling("x"), at=99), RulingRefused, r"has entries 1 to \d+, not 99"),
        (replace_fields(build_ruling("x"), at=0), RulingRefused, "not 0"),
        (replace_fields(build_ruling("x"), rule=" "), RulingRefused, "a ruling requires its rule"),
        (replace_fields(build_ruling("x"), reasons=""), RulingRefused, "a ruling requires its reasons"),
        (replace_fields(build_ruling("x"), reasons="a" * 4001), RulingRefused, "at most 4000 characters, not 4001"),
        (build_ruling("x", upheld=True), RulingRefused, "only a ruling on appeal can uphold another"),
        (
            build_ruling("x", SeatWarned(0), appeal_of="y", upheld=True),
            RulingRefused,
            "only a ruling on appeal can uphold another",
        ),
        (
            build_ruling("x", PointsTaken(0, 1), appeal_of="y"),
            RulingRefused,
            "has no ruling y to appeal",
        ),
        (build_ruling("x", *(SeatWarned(0),) * 17), RulingRefused, "at most 16 measures, not 17"),
        (build_ruling("x", SeatWarned(3)), UnknownSeat, "no seat 3"),
        (build_ruling("x", PointsTaken(0, 0)), RulingRefused, "1 to 1000 points, not 0"),
        (build_ruling("x", PointsTaken(-1, 1)), UnknownSeat, "no seat -1"),
        (build_ruling("x", TimeTaken(0, 100_000)), RulingRefused, "1 to 86400 seconds, not 100000"),
        (build_ruling("x", LineResumed(3, str(R))), RulingRefused, "can be resumed from the entries"),
        (build_ruling("x", LineResumed(99, str(R))), RulingRefused, "not from 99"),
        (build_ruling("x", ResultSet((1, 2), (1, 2, 3))), RulingRefused, "points and places for 3 seats"),
        (
            build_ruling("x", ResultSet((1, 2, 3), (1, 1, 2))),
            RulingRefused,
            r"\(1, 1, 2\) are not valid places for 3 seats",
        ),
        (build_ruling("x", ResultSet((1, 2, 3000), (1, 2, 3))), RulingRefused, "at most 1000 points per seat"),
        (build_ruling("x", MatchVoided(), LineResumed(10, str(R))), RulingRefused, "can only do one of: resume"),
    ],
)
def test_invalid_rulings_are_rejected(sqlite: Matches, fact: RulingGiven, refusal: type[Exception], why: str) -> None:
    before = running(sqlite)

    with pytest.raises(refusal, match=why):
        apply_ruling(sqlite, M, fact)
    assert sqlite.get(M).head == before.head


def test_there_is_no_ruling_before_the_start_nor_on_a_superseded_line(sqlite: Matches) -> None:
    sqlite.open(S, title="toy", seats=2, by="anna", at=START)
    with pytest.raises(RulingRefused, match="has not started"):
        apply_ruling(sqlite, S, build_ruling("x"))
    before = running(sqlite)
    resume_match(sqlite, M, before.version - 1, R)

    with pytest.raises(RulingRefused, match=rf"superseded from entry {before.version}; it continues as {R}"):
        apply_ruling(sqlite, M, build_ruling("x"))


def test_former_players_cannot_rule_on_the_match(sqlite: Matches) -> None:
    running(sqlite)
    sqlite.replace_seat(M, 2, SERVICE, actor=ARBITER, at=START)
    sqlite.replace_seat(M, 2, SERVICE, actor=BOT, at=START)

    with pytest.raises(NotAllowed, match="plays in match"):
        apply_ruling(sqlite, M, build_ruling("x"))


def test_no_time_is_taken_where_no_clock_runs(sqlite: Matches) -> None:
    start_match(sqlite, M, PEOPLE)

    with pytest.raises(RulingRefused, match="has no clock to deduct time from"):
        apply_ruling(sqlite, M, build_ruling("x", TimeTaken(0, 1)))


def test_a_match_is_not_resumed_from_after_its_end_nor_with_wrong_clocks(sqlite: Matches) -> None:
    over = play_whole_match(sqlite)

    apply_ruling(sqlite, M, build_ruling("late"))
    with pytest.raises(ForkRefused, match="was over at entry"):
        resume_match(sqlite, M, over.version, R)
    with pytest.raises(WrongSeatCount, match="has 3 clocks, not 2"):
        forking.build_replacement(sqlite.at(M, 10), ruling="x", clocks=(1, 2), seed=bytes(32))


def test_a_table_of_an_event_is_opened_by_the_service(sqlite: Matches) -> None:
    with pytest.raises(NotAllowed, match="cannot create a table of the event cup"):
        sqlite.open(M, title="toy", seats=2, by="anna", at=START, table=Table(event="cup"))

    match = sqlite.open(M, title="toy", seats=2, by=SERVICE, at=START, table=Table(event="cup"))

    assert match.table.event_id == "cup"
