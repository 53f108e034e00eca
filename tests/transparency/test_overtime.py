"""Time-outs that the service did not call: both verifiers report them for every kind of clock."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any, Final

import pytest

from domain.matches.aggregate import legal_actions, seats_to_act
from domain.matches.facts import SERVICE, Clock, Table
from domain.matches.log.log_files import log_bytes, log_of
from domain.matches.play import commands
from domain.matches.play.in_memory import InMemoryMatch
from domain.proofs.match import verify_content
from tests.domain.matches.play.test_clocks import people_play
from tests.transparency.second import SecondVerifier

WEEK: Final = timedelta(days=7)
CLOCKS: Final = {
    "per_move": Clock("per_move", 60),
    "increment": Clock("increment", 60, 10),
    "correspondence": Clock("correspondence", 86_400),
}


def think(play: InMemoryMatch, span: timedelta) -> int:
    """Let the next person act after a time; return the seat."""
    seat = next(seat for seat in seats_to_act(play.match) if seat >= 0)
    action = legal_actions(play.match, seat)[0]
    play.append(lambda match: commands.act(match, seat, f"p{seat}", action), at=play.match.timestamp + span)
    return seat


def overtimes(second_verifier: SecondVerifier, play: InMemoryMatch) -> tuple[list[str], list[dict[str, Any]]]:
    content = log_bytes(log_of(play.entries))
    first, second = verify_content(content), second_verifier.examine(content)
    assert (first.fault, second.fault) == (None, None)
    told = [each.removeprefix("clocks: ") for each in first.unchecked if each.startswith("clocks: ")]
    return told, [each["values"] for each in second.unchecked if each["id"] == "overtime"]


@pytest.mark.parametrize("kind", CLOCKS)
def test_a_week_of_thinking_is_reported_with_its_entry(second_verifier: SecondVerifier, kind: str) -> None:
    play = people_play("la_granja", Table(clock=CLOCKS[kind]))
    think(play, timedelta(seconds=5))
    seat = think(play, WEEK)
    entry = play.match.version
    think(play, timedelta(seconds=5))
    told, listed = overtimes(second_verifier, play)

    over = int(WEEK.total_seconds()) - CLOCKS[kind].seconds
    assert len(told) == len(listed) == 1
    assert told[0].startswith(f"seat {seat} was over its time by ")
    assert told[0].endswith(f" seconds at entry {entry}, and the service had not ended it")
    assert listed[0]["entry"] == entry
    assert listed[0]["seat"] == seat + 1
    least, exact = listed[0]["seconds"], int(told[0].split(" by ")[1].split()[0])
    assert over - 60 < least <= exact < over + 60


def test_a_time_out_that_was_called_late_is_reported(second_verifier: SecondVerifier) -> None:
    play = people_play("la_granja", Table(clock=CLOCKS["per_move"], time_out="skip"))
    seat = seats_to_act(play.match)[0]
    late = play.match.timestamp + WEEK
    play.append(partial(commands.time_out, seat=seat, by=SERVICE, at=late), at=late)
    told, listed = overtimes(second_verifier, play)

    assert len(told) == 1
    assert [each["seconds"] for each in listed] == [604_740]


@pytest.mark.parametrize("kind", CLOCKS)
def test_a_pause_or_a_minute_is_no_overtime(second_verifier: SecondVerifier, kind: str) -> None:
    """A late action is accepted until the service has called the time-out, so a minute is not reported."""
    clock = CLOCKS[kind]
    play = people_play("la_granja", Table(clock=clock))
    play.append(partial(commands.pause, by=SERVICE))
    play.append(partial(commands.resume, by=SERVICE), at=play.match.timestamp + WEEK)
    think(play, timedelta(seconds=clock.seconds + 50))

    assert overtimes(second_verifier, play) == ([], [])
