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
from domain.matches.play import playing
from domain.matches.rulings.measures import LineResumed, MatchVoided, PointsTaken, ResultSet, SeatWarned, TimeTaken
from domain.matches.rulings.ruling import counted_result, points_taken, standing
from tests.domain.matches import world
from tests.domain.matches.world import ARBITER, BOT, START, act_once, given, resumes, rules, started, uuid, verified

M, R, S = uuid(1), uuid(2), uuid(3)
PEOPLE = ("anna", "bea", "carl")
PLAY = Table(pause_on_dispute=True, clock=Clock("per_move", 60), rated=True)


def some(matches: Matches, match: Match, count: int) -> Match:
    for _ in range(count):
        match = act_once(matches, match)
    return match


def running(matches: Matches) -> Match:
    return some(matches, started(matches, M, PEOPLE, table=PLAY), 6)


def ended(matches: Matches) -> Match:
    return world.played_out(matches, started(matches, M, PEOPLE, table=PLAY))


def test_a_ruling_without_measures_changes_nothing_but_the_log(quick: Matches) -> None:
    before = running(quick)

    match = rules(quick, M, given("one"))

    assert match.version == before.version + 1
    assert (match.state, match.status) == (before.state, "running")
    assert match.docket.rulings == (given("one"),)
    act_once(quick, match)
    verified(quick, M)


def test_points_are_taken_from_the_result_and_places_follow(quick: Matches) -> None:
    played = ended(quick).result
    assert played is not None
    winner = played.ranking.index(1)
    lead = max(played.scores) - min(played.scores)

    match = rules(quick, M, given("one", PointsTaken(winner, lead + 1), SeatWarned(0)))

    after = counted_result(match)
    assert after is not None
    assert after.scores[winner] == played.scores[winner] - lead - 1
    assert after.ranking[winner] == 3
    assert match.result == played, "what was played stays as it was"
    assert points_taken(match)[winner] == lead + 1
    assert match.status == "ended"
    verified(quick, M)


def test_who_was_penalised_loses_a_tie_and_the_resigned_stay_behind(quick: Matches) -> None:
    match = started(quick, M, (*PEOPLE, "dora"), table=PLAY)
    quick.resign(M, 3, "dora", at=START)
    rules(quick, M, given("set", ResultSet((5, 7, 5, 9), (2, 1, 2, 4))))

    match = rules(quick, M, given("less", PointsTaken(1, 2)))

    after = counted_result(match)
    assert after is not None
    assert after.scores == (5, 5, 5, 9)
    assert after.ranking == (1, 3, 1, 4)


def test_a_result_that_is_set_ends_a_running_match_with_it(quick: Matches) -> None:
    running(quick)

    match = rules(quick, M, given("set", ResultSet((3, 2, 1), (1, 2, 3))))

    assert world.facts(quick, M)[-1] == MatchEnded((3, 2, 1), (1, 2, 3))
    assert match.status == "ended"
    assert counted_result(match) == match.result
    with pytest.raises(MatchOver):
        quick.resign(M, 0, "anna", at=START)
    verified(quick, M)


def test_a_result_can_be_set_for_a_match_that_has_ended(quick: Matches) -> None:
    played = ended(quick)

    match = rules(quick, M, given("set", ResultSet((3, 2, 1), (1, 2, 3))))

    assert match.result == played.result
    result = counted_result(match)
    assert result is not None
    assert result.ranking == (1, 2, 3)
    assert not isinstance(world.facts(quick, M)[-1], MatchEnded)
    verified(quick, M)


@pytest.mark.parametrize("played", [running, ended])
def test_a_void_match_has_no_outcome_and_opens_its_secrets(quick: Matches, played: Any) -> None:
    played(quick)

    match = rules(quick, M, given("void", MatchVoided()))

    assert match.status == "void"
    assert counted_result(match) is None
    assert quick.lines.closed_until(M) == 0
    with pytest.raises(RulingRefused, match="is void"):
        rules(quick, M, given("more", PointsTaken(0, 1)))
    verified(quick, M)


def test_a_match_resumes_from_an_earlier_entry_as_another_line(quick: Matches) -> None:
    before = running(quick)
    at = before.version - 3

    line = resumes(quick, M, at, R)

    parent = quick.get(M)
    assert parent.status == "superseded"
    assert view(parent, None) is None
    assert seats_to_act(parent) == ()
    assert (line.status, line.docket.ruling, line.table) == ("waiting", "resumed", before.table)
    assert [info.actor for info in line.seats] == list(PEOPLE)
    assert line.state == quick.at(M, at).state
    assert line.luck_id == R
    assert line.opened_by == "anna"
    with pytest.raises(MatchOver):
        act_once(quick, before)
    world.played_out(quick, line)
    verified(quick, M)
    verified(quick, R)


def test_the_replaced_part_is_closed_until_its_replacement_has_ended(quick: Matches) -> None:
    before = running(quick)
    at = before.version - 3
    line = resumes(quick, M, at, R)
    whole = quick.get(M).version

    assert [entry.version for entry in quick.read(M, None)] == list(range(1, at + 1))
    assert export_log(quick, M, None).header.entries == at
    assert len(quick.read(M, ALL)) == whole
    assert quick.lines.closed_until(M) == whole
    assert quick.lines.visible_until(M) == at
    world.played_out(quick, line)
    assert [quick.lines.closed_until(id) for id in (M, R)] == [0, 0]
    assert len(quick.read(M, None)) == quick.lines.visible_until(M) == whole
    assert export_log(quick, M, None).header.redacted_for is None


def test_a_line_that_was_resumed_can_be_resumed_again_even_from_before(quick: Matches) -> None:
    before = running(quick)
    first = before.version - 2
    line = some(quick, world.gathered(quick, resumes(quick, M, first, R)), 2)

    again = resumes(quick, R, first - 1, S, "again")

    assert again.origin is not None
    assert (again.origin.match_id, again.origin.version) == (M, first - 1)
    assert quick.get(R).docket.superseded_by == S
    assert quick.lines.visible_until(M) == quick.lines.visible_until(R) == first - 1
    assert all(quick.lines.goes_on(id) for id in (M, R, S))
    world.played_out(quick, again)
    assert [quick.lines.closed_until(id) for id in (M, R, S)] == [0, 0, 0]
    assert line.docket.superseded_by is None
    for id in (M, R, S):
        verified(quick, id)


def test_a_what_if_belongs_to_no_table_and_keeps_its_parent_closed_while_it_runs(quick: Matches) -> None:
    match = running(quick)
    base = quick.at(M, match.version)
    seats = (BOT, BOT, BOT)
    fact = forking.fork(
        base, luck="fresh", by=ARBITER, seats=seats, seed=bytes(32), parent_is_over=False, dispute="dispute"
    )

    line = quick.transact(lambda batch: batch.fork(base, fact, R), at=START)

    assert (line.docket.dispute, line.table.public, line.table.rated) == ("dispute", False, False)
    assert line.opened_by == ARBITER
    world.played_out(quick, line)
    assert quick.lines.closed_until(R) == quick.get(R).version, "it shows what the parent hides"
    verified(quick, R)


def test_an_upheld_ruling_counts_and_an_overturned_one_does_not(quick: Matches) -> None:
    ended(quick)
    rules(quick, M, given("one", PointsTaken(0, 3)))
    upheld = rules(quick, M, given("two", appeal_of="one", upheld=True))
    assert points_taken(upheld) == (3, 0, 0)

    match = rules(quick, M, given("three", PointsTaken(0, 1), appeal_of="one"))

    assert points_taken(match) == (1, 0, 0)
    assert [fact.ruling for fact in standing(match.docket.rulings)] == ["two", "three"]
    verified(quick, M)


def test_overturning_a_void_restores_the_result(quick: Matches) -> None:
    played = ended(quick)
    rules(quick, M, given("void", MatchVoided()))

    match = rules(quick, M, given("back", appeal_of="void"))

    assert (match.status, match.result) == ("ended", played.result)
    verified(quick, M)


def test_a_match_that_a_ruling_stopped_needs_another_decision_on_appeal(quick: Matches) -> None:
    running(quick)
    rules(quick, M, given("void", MatchVoided()))
    with pytest.raises(RulingRefused, match="was stopped by the ruling void: uphold it"):
        rules(quick, M, given("back", appeal_of="void"))
    assert rules(quick, M, given("yes", appeal_of="void", upheld=True)).status == "void"

    match = rules(quick, M, given("set", ResultSet((3, 2, 1), (1, 2, 3)), appeal_of="void"))

    assert match.status == "ended"
    result = counted_result(match)
    assert result is not None
    assert result.scores == (3, 2, 1)
    verified(quick, M)


def test_a_result_that_was_set_can_be_withdrawn_by_resuming(quick: Matches) -> None:
    before = running(quick)
    rules(quick, M, given("set", ResultSet((3, 2, 1), (1, 2, 3))))
    fact = given("on", LineResumed(before.version, str(R)), appeal_of="set")

    match = rules(quick, M, fact)

    assert match.status == "superseded"
    verified(quick, M)


def test_a_match_held_for_a_dispute_goes_on_when_that_is_ruled_on(quick: Matches) -> None:
    running(quick)
    held = quick.transact(
        lambda batch: batch.append(M, lambda match: playing.pause(match, SERVICE, "dispute")), at=START
    )
    with pytest.raises(PauseRefused, match="waits for a ruling"):
        quick.resume(M, "anna", at=START)
    with pytest.raises(PauseRefused, match="waits for a ruling already"):
        playing.pause(held, SERVICE, "another")
    other = given("other")
    assert rules(quick, M, replaced(other, dispute="another")).status == "paused"

    match = rules(quick, M, given("one", TimeTaken(1, 5)))

    assert (held.status, held.docket.held_by) == ("paused", "dispute")
    assert (match.status, match.docket.held_by) == ("running", "")
    assert world.facts(quick, M)[-1] == Resumed(SERVICE)
    verified(quick, M)


def replaced(fact: RulingGiven, **changes: Any) -> RulingGiven:
    values = {name: getattr(fact, name) for name in fact.__struct_fields__} | changes
    return RulingGiven(**values)


def test_a_pause_the_players_asked_for_can_be_held_and_the_service_lets_go(quick: Matches) -> None:
    running(quick)
    for seat, player in enumerate(PEOPLE):
        quick.ask_pause(M, seat, player, at=START)
    quick.transact(lambda batch: batch.append(M, lambda match: playing.pause(match, SERVICE, "dispute")), at=START)

    match = quick.resume(M, SERVICE, at=START)

    assert (match.status, match.docket.held_by) == ("running", "")
    verified(quick, M)


def test_a_ruling_may_end_a_match_that_is_held(quick: Matches) -> None:
    running(quick)
    quick.transact(lambda batch: batch.append(M, lambda match: playing.pause(match, SERVICE, "dispute")), at=START)

    assert rules(quick, M, given("set", ResultSet((3, 2, 1), (1, 2, 3)))).status == "ended"
    verified(quick, M)


@pytest.mark.parametrize(
    ("fact", "refusal", "why"),
    [
        (replaced(given("x"), by="service"), UnknownActor, "'service'"),
        (replaced(given("x"), by="anna"), NotAllowed, "'anna' plays at the match"),
        (replaced(given("x"), at=99), RulingRefused, r"has entries 1 to \d+, not 99"),
        (replaced(given("x"), at=0), RulingRefused, "not 0"),
        (replaced(given("x"), rule=" "), RulingRefused, "names its rule"),
        (replaced(given("x"), reasons=""), RulingRefused, "names its reasons"),
        (replaced(given("x"), reasons="a" * 4001), RulingRefused, "at most 4000 characters, not 4001"),
        (given("x", upheld=True), RulingRefused, "only a ruling on appeal upholds"),
        (given("x", SeatWarned(0), appeal_of="y", upheld=True), RulingRefused, "only a ruling on appeal upholds"),
        (
            given("x", PointsTaken(0, 1), appeal_of="y"),
            RulingRefused,
            "has no ruling y that there could be an appeal of",
        ),
        (given("x", *(SeatWarned(0),) * 17), RulingRefused, "at most 16 measures, not 17"),
        (given("x", SeatWarned(3)), UnknownSeat, "no seat 3"),
        (given("x", PointsTaken(0, 0)), RulingRefused, "1 to 1000 points, not 0"),
        (given("x", PointsTaken(-1, 1)), UnknownSeat, "no seat -1"),
        (given("x", TimeTaken(0, 100_000)), RulingRefused, "1 to 86400 seconds, not 100000"),
        (given("x", LineResumed(3, str(R))), RulingRefused, "can be resumed from the entries"),
        (given("x", LineResumed(99, str(R))), RulingRefused, "not from 99"),
        (given("x", ResultSet((1, 2), (1, 2, 3))), RulingRefused, "points and places for 3 seats"),
        (given("x", ResultSet((1, 2, 3), (1, 1, 2))), RulingRefused, r"\(1, 1, 2\) are not the places of 3 seats"),
        (given("x", ResultSet((1, 2, 3000), (1, 2, 3))), RulingRefused, "at most 1000 points a seat"),
        (given("x", MatchVoided(), LineResumed(10, str(R))), RulingRefused, "either resumes the match"),
    ],
)
def test_invalid_rulings_are_rejected(quick: Matches, fact: RulingGiven, refusal: type[Exception], why: str) -> None:
    before = running(quick)

    with pytest.raises(refusal, match=why):
        rules(quick, M, fact)
    assert quick.get(M).head == before.head


def test_there_is_no_ruling_before_the_start_nor_on_a_superseded_line(quick: Matches) -> None:
    quick.open(S, title="toy", seats=2, by="anna", at=START)
    with pytest.raises(RulingRefused, match="has not started"):
        rules(quick, S, given("x"))
    before = running(quick)
    resumes(quick, M, before.version - 1, R)

    with pytest.raises(RulingRefused, match=rf"superseded from entry {before.version} on; {R} goes on"):
        rules(quick, M, given("x"))


def test_former_players_cannot_rule_on_the_match(quick: Matches) -> None:
    running(quick)
    quick.replace_seat(M, 2, SERVICE, actor=ARBITER, at=START)
    quick.replace_seat(M, 2, SERVICE, actor=BOT, at=START)

    with pytest.raises(NotAllowed, match="plays at the match"):
        rules(quick, M, given("x"))


def test_no_time_is_taken_where_no_clock_runs(quick: Matches) -> None:
    started(quick, M, PEOPLE)

    with pytest.raises(RulingRefused, match="no clock runs"):
        rules(quick, M, given("x", TimeTaken(0, 1)))


def test_a_match_is_not_resumed_from_after_its_end_nor_with_wrong_clocks(quick: Matches) -> None:
    over = ended(quick)

    rules(quick, M, given("late"))
    with pytest.raises(ForkRefused, match="was over at entry"):
        resumes(quick, M, over.version, R)
    with pytest.raises(WrongSeatCount, match="has 3 clocks, not 2"):
        forking.replacement(quick.at(M, 10), ruling="x", clocks=(1, 2), seed=bytes(32))


def test_a_table_of_an_event_is_opened_by_the_service(quick: Matches) -> None:
    with pytest.raises(NotAllowed, match="may not open a table of the event cup"):
        quick.open(M, title="toy", seats=2, by="anna", at=START, table=Table(event="cup"))

    match = quick.open(M, title="toy", seats=2, by=SERVICE, at=START, table=Table(event="cup"))

    assert match.table.event_id == "cup"
