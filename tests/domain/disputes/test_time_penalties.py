"""What a ruling takes from the clocks stands in the dispute, before and after; on appeal it may be given back."""

from domain.disputes.state import Dispute
from domain.eventstore.application import Matches
from domain.matches.log.records import Stream
from domain.matches.rulings.measures import LineResumed, TimeTaken
from tests.domain.disputes.disputing import CLOCKS, HOLDING, R, appeals, ended, raises, rules, running


def clocks(kept: Stream[Dispute]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Before and after the newest ruling."""
    ruling = kept.state.rulings[-1].ruling
    return ruling.before.clocks, ruling.after.clocks


def test_time_that_is_taken_is_told_before_and_after(matches: Matches) -> None:
    raises(matches, running(matches, HOLDING).version)

    kept = rules(matches, 100, TimeTaken(1, 15), TimeTaken(2, 3_600))

    assert clocks(kept) == (CLOCKS, (30_000, 25_000, 0))


def test_a_ruling_that_is_replaced_gives_back_the_time_it_took(matches: Matches) -> None:
    raises(matches, running(matches, HOLDING).version)
    rules(matches, 100, TimeTaken(1, 15))
    appeals(matches)

    kept = rules(matches, 101, TimeTaken(0, 5), by="hella")

    assert clocks(kept) == (CLOCKS, (25_000, 55_000, 50_000)), "the toy's clocks always show the same before"


def test_a_ruling_that_is_upheld_keeps_what_it_took(matches: Matches) -> None:
    raises(matches, running(matches, HOLDING).version)
    rules(matches, 100, TimeTaken(1, 15))
    appeals(matches)

    assert clocks(rules(matches, 101, by="hella", upheld=True)) == (CLOCKS, CLOCKS)


def test_a_line_that_goes_on_has_the_clocks_of_its_entry_less_what_was_taken(matches: Matches) -> None:
    match = running(matches, HOLDING)
    raises(matches, match.version)

    kept = rules(matches, 100, TimeTaken(0, 10), LineResumed(match.version - 1, ""), line=R)

    assert clocks(kept) == (CLOCKS, (20_000, 40_000, 50_000))


def test_no_clocks_are_told_of_a_match_that_is_over(matches: Matches) -> None:
    raises(matches, ended(matches).version)

    assert clocks(rules(matches, 100)) == ((), ())
