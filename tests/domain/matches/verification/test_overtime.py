"""The report lists the longest overtime of each seat that the service did not call."""

from datetime import timedelta

from domain.matches.facts import Clock, Table
from domain.matches.log.log_files import log_of
from domain.matches.verification.verify import verify
from tests.domain.matches.play.test_clocks import people_play
from tests.transparency.test_overtime import think


def test_the_longest_overtime_of_a_seat_counts() -> None:
    """After 59 seconds, two hours, three hours and one hour, with 60 seconds per move."""
    play = people_play("la_granja", Table(clock=Clock("per_move", 60)))
    longest = dict[int, tuple[int, int]]()
    for seconds in (59, 7_200, 10_800, 3_600, 7_200, 119):
        seat = think(play, timedelta(seconds=seconds))
        if seconds > max(longest.get(seat, (120, 0))[0], 120):
            longest[seat] = (seconds, play.match.version)
    report = verify(log_of(play.entries))
    acts = {act.seat: act for act in report.signatures.service_acts}

    assert report.is_good
    assert {seat: (act.seconds + 60, act.entry) for seat, act in acts.items()} == longest
    assert {act.kind for act in acts.values()} == {"overtime"}
    assert sum(each.startswith("clocks: ") for each in report.unchecked) == len(longest) > 0
