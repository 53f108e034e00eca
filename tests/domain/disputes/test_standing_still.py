"""A match stands still for a dispute once for each person, and nobody wins time to think by it."""

from datetime import timedelta

import pytest

from domain.disputes import commands
from domain.matches import playing
from domain.matches.application import Matches
from domain.matches.clocks import left_ms
from domain.matches.errors import PauseRefused, UnknownSeat
from domain.matches.facts import SERVICE, Resumed
from tests.domain.disputes.disputing import HOLDING, D, E, M, raises, rules, running
from tests.domain.matches.world import START, facts, uuid, verified


def test_the_clocks_stop_once_for_a_person_and_again_only_for_an_arbiter(matches: Matches) -> None:
    match = running(matches, HOLDING)
    raises(matches, match.version)
    commands.withdraw_(matches, D, by="anna", at=START)

    raises(matches, match.version, id=E)
    assert (matches.get(M).status, matches.get(M).docket.held_by) == ("running", "")
    raises(matches, match.version, by="bea", id=uuid(53))
    assert matches.get(M).docket.held_by == str(uuid(53)), "it is the first of another person"
    rules(matches, 100, id=uuid(53))
    assert matches.get(M).status == "running", "nothing stops for the dispute that waits still"

    commands.assign(matches, E, by="art", at=START)

    assert matches.get(M).docket.held_by == str(E)
    verified(matches, M)


def test_a_withdrawn_dispute_gives_no_time_back_to_whoever_raised_it(matches: Matches) -> None:
    match = running(matches, HOLDING, actions=0)
    raised = START + timedelta(seconds=50)
    commands.raise_(matches, D, M, entry=match.version, by="anna", reason="So.", at=raised)
    assert left_ms(matches.get(M)) == (10_000, 10_000, 10_000)

    commands.withdraw_(matches, D, by="anna", at=raised + timedelta(seconds=7))

    assert left_ms(matches.get(M)) == (3_000, 10_000, 10_000)
    verified(matches, M)


def test_a_ruling_gives_everybody_the_time_the_match_stood_still(matches: Matches) -> None:
    match = running(matches, HOLDING, actions=0)
    raises(matches, match.version)
    rules(matches, 100)

    assert left_ms(matches.get(M)) == (60_000, 60_000, 60_000)
    assert facts(matches, M)[-1] == Resumed(SERVICE)


def test_nobody_is_charged_for_a_pause_that_no_dispute_began(matches: Matches) -> None:
    match = running(matches, HOLDING, actions=0)
    matches.pause(M, SERVICE, at=START)
    raises(matches, match.version)

    commands.withdraw_(matches, D, by="anna", at=START + timedelta(seconds=7))

    assert facts(matches, M)[-1] == Resumed(SERVICE)
    paused = matches.pause(M, SERVICE, at=START + timedelta(seconds=8))
    with pytest.raises(PauseRefused, match="no dispute of seat 1"):
        playing.resume(paused, SERVICE, charged=1)
    with pytest.raises(UnknownSeat):
        playing.resume(paused, SERVICE, charged=9)
