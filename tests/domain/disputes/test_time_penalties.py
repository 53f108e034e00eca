"""Disputes record the clocks before and after time penalties; an appeal may give time back."""

from domain.disputes.state import Dispute
from domain.eventstore.application import Matches
from domain.matches.log.records import Stream
from domain.matches.rulings.measures import LineResumed, TimeTaken
from tests.domain.disputes.disputing import (
    CLOCKS,
    HOLDING,
    R,
    end_match,
    file_appeal,
    give_ruling,
    raise_dispute,
    start_running_match,
)


def clocks(dispute: Stream[Dispute]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the clocks before and after the latest ruling."""
    ruling = dispute.state.rulings[-1].ruling
    return ruling.before.clocks, ruling.after.clocks


def test_a_time_penalty_is_recorded_before_and_after(matches: Matches) -> None:
    raise_dispute(matches, start_running_match(matches, HOLDING).version)

    dispute = give_ruling(matches, 100, TimeTaken(1, 15), TimeTaken(2, 3_600))

    assert clocks(dispute) == (CLOCKS, (30_000, 25_000, 0))


def test_a_ruling_that_is_replaced_gives_back_the_time_it_took(matches: Matches) -> None:
    raise_dispute(matches, start_running_match(matches, HOLDING).version)
    give_ruling(matches, 100, TimeTaken(1, 15))
    file_appeal(matches)

    dispute = give_ruling(matches, 101, TimeTaken(0, 5), by="hella")

    assert clocks(dispute) == (CLOCKS, (25_000, 55_000, 50_000)), "the toy's clocks always show the same before"


def test_a_ruling_that_is_upheld_keeps_what_it_took(matches: Matches) -> None:
    raise_dispute(matches, start_running_match(matches, HOLDING).version)
    give_ruling(matches, 100, TimeTaken(1, 15))
    file_appeal(matches)

    assert clocks(give_ruling(matches, 101, by="hella", upheld=True)) == (CLOCKS, CLOCKS)


def test_a_resumed_line_has_the_clocks_of_its_entry_minus_penalties(matches: Matches) -> None:
    match = start_running_match(matches, HOLDING)
    raise_dispute(matches, match.version)

    dispute = give_ruling(matches, 100, TimeTaken(0, 10), LineResumed(match.version - 1, ""), line=R)

    assert clocks(dispute) == (CLOCKS, (20_000, 40_000, 50_000))


def test_a_finished_match_has_no_clocks(matches: Matches) -> None:
    raise_dispute(matches, end_match(matches).version)

    assert clocks(give_ruling(matches, 100)) == ((), ())
