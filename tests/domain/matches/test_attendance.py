"""Whether a person still plays a match."""

from domain.kernel.values import replace
from domain.matches.application import Matches
from domain.matches.attendance import is_attended, is_left_to_bots
from domain.matches.facts import SERVICE, Clock, Table
from tests.domain.matches.world import BOT, START, started, uuid

M = uuid(1)


def test_a_match_with_a_person_is_attended(quick: Matches) -> None:
    match = started(quick, M, ("anna", BOT))

    assert is_attended(match)
    assert not is_left_to_bots(match)


def test_a_match_of_bots_is_left_to_them(quick: Matches) -> None:
    match = started(quick, M, (BOT, BOT))

    assert is_left_to_bots(match)
    assert not is_left_to_bots(replace(match, status="ended"))


def test_a_match_is_left_to_bots_when_its_last_person_resigns(quick: Matches) -> None:
    started(quick, M, ("anna", BOT, BOT))

    assert is_left_to_bots(quick.resign(M, 0, "anna", at=START))


def test_who_ran_out_of_time_is_not_waited_for_until_somebody_sits_down_again(quick: Matches) -> None:
    match = started(quick, M, ("anna", BOT), table=Table(clock=Clock("per_move", 1), time_out="skip"))
    late = quick.time_out(M, 0, SERVICE, at=START.replace(hour=23))

    replaced = replace(late, seats=(replace(late.seats[0], actor="bea"), late.seats[1]))

    assert is_attended(match)
    assert is_left_to_bots(late)
    assert is_attended(replaced)


def test_the_demonstration_and_the_matches_of_events_and_of_arbiters_are_not_counted(quick: Matches) -> None:
    match = started(quick, M, (BOT, BOT))

    assert is_attended(replace(match, opened_by=SERVICE))
    assert not is_left_to_bots(replace(match, table=Table(event="cup")))
    assert not is_left_to_bots(replace(match, docket=replace(match.docket, dispute="d")))
    assert not is_left_to_bots(replace(match, docket=replace(match.docket, ruling="r")))
