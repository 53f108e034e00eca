"""Reasons for replacing a player: format 3 states them, and they must fit the table."""

import pytest

from domain.eventstore.application import Matches
from domain.kernel.values import replace
from domain.matches.aggregate import Match
from domain.matches.errors import NotAllowed
from domain.matches.fact_base import ReplacedFor
from domain.matches.facts import SERVICE, Clock, SeatReplaced, Table
from domain.matches.play import commands
from tests.domain.matches.match_helpers import BOT, START, facts, start_match, uuid, verify_log

M = uuid(1)
PEOPLE = ("anna", "bea", "carl")


def of_event(match: Match) -> Match:
    return replace(match, table=replace(match.table, event="cup"))


def test_a_seat_that_the_service_gives_to_another_says_why(sqlite: Matches) -> None:
    match = start_match(sqlite, M, PEOPLE, table=Table(clock=Clock("per_move", 60)))
    sqlite.replace_seat(M, 0, SERVICE, actor="dora", at=START)
    sqlite.time_out(M, 1, SERVICE, bot=BOT, at=replace(match, timestamp=START).timestamp.replace(year=START.year + 1))
    sqlite.replace_seat(M, 2, "carl", actor=BOT, at=sqlite.get(M).timestamp)

    reasons = [fact.reason for fact in facts(sqlite, M) if isinstance(fact, SeatReplaced)]
    assert reasons == ["handed_over", "time_out", ""]
    verify_log(sqlite, M)


@pytest.mark.parametrize(
    ("reason", "is_event", "actor", "good"),
    [
        ("substitute", True, "dora", False),
        ("substitute", False, "dora", False),
        ("returned", True, "dora", True),
        ("returned", True, BOT, False),
        ("returned", False, "dora", False),
        ("no_show", True, BOT, False),
        ("erased", False, BOT, True),
        ("erased", False, "dora", False),
        ("time_out", False, BOT, False),
        ("", False, BOT, False),
        ("handed_over", False, BOT, True),
    ],
)
def test_a_reason_that_the_table_contradicts_is_refused(
    sqlite: Matches, reason: ReplacedFor, is_event: bool, actor: str, good: bool
) -> None:
    match = start_match(sqlite, M, PEOPLE)
    match = of_event(match) if is_event else match

    def attempt(match: Match, by: str) -> SeatReplaced:
        return commands.replace_seat(match, 0, by, actor, reason=reason)

    if good:
        assert attempt(match, SERVICE).reason == reason
    else:
        with pytest.raises(NotAllowed, match=f"for the reason '{reason}'"):
            attempt(match, SERVICE)
    earlier = replace(match, format=2)
    if reason:
        with pytest.raises(NotAllowed):
            attempt(earlier, SERVICE)
        assert commands.replace_seat(earlier, 0, SERVICE, actor).reason == ""


def test_a_bot_on_the_seat_of_an_event_before_the_start_is_there_for_a_no_show(sqlite: Matches) -> None:
    sqlite.open(M, title="toy", seats=2, by="anna", at=START)
    sqlite.take_seat(M, 0, "anna", at=START)
    match = of_event(sqlite.get(M))

    assert commands.replace_seat(match, 0, SERVICE, BOT, "anna").reason == "no_show"
    assert commands.replace_seat(match, 0, SERVICE, "dora", "anna").reason == "substitute"


def test_an_entrant_who_has_the_seat_again_has_returned(sqlite: Matches) -> None:
    match = of_event(start_match(sqlite, M, PEOPLE))

    assert commands.replace_seat(match, 0, SERVICE, "dora", "anna").reason == "substitute"
    assert commands.replace_seat(match, 0, SERVICE, "dora").reason == "returned"
    assert commands.replace_seat(match, 0, SERVICE, BOT).reason == "handed_over"
    with pytest.raises(NotAllowed, match="'returned'"):
        commands.replace_seat(match, 0, SERVICE, "dora", "anna", reason="returned")
