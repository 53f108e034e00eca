"""Orders of the service are compared with the matches in the file."""

from __future__ import annotations

from typing import Any, Final

import pytest

from domain.contests.deadlines import BY_LOT, BY_OVERDUE, BY_SCORE, Consequence, Verdict
from domain.kernel.values import replace
from domain.matches.errors import LogFault
from domain.matches.facts import SERVICE
from domain.matches.verification.verify import VerifyReport
from domain.proofs.authority import DeadlineRuling, Pending
from domain.proofs.derived import (
    BEFORE_A_RULING,
    REOPENED,
    SERVICE_LUCK,
    check_pending,
    check_rulings,
    list_unfitting,
    matches_before,
    noted_matches,
    require_bounded_luck,
)
from domain.proofs.event_matches import MatchExamined
from domain.tournaments import facts, rounds
from tests.domain.ratings.test_counting import PLAYED
from tests.domain.tournaments.building import BY, Story

VOID: Final = replace(PLAYED, ranking=None, scores=(), status="void")
GOOD: Final = VerifyReport(None, own_luck=(0, 1))
EXAMINED: Final = MatchExamined(GOOD, outcome=VOID, open_scores=(3, 7))
RULED: Final = facts.ResultRuled(SERVICE, 1, 1, (2, 1), (3, 7), BY_SCORE)


def story_with(*later: Any) -> tuple[Story, Any]:
    """Return a tournament with one open table, and the id of its match."""
    story = Story(2, size=2).pair().publish().take(*later)
    return story, story.state.rounds[0].tables[0].match


def why(
    examined: MatchExamined | None,
    ruling: facts.ResultRuled = RULED,
    *later: Any,
    consequence: Consequence = "score",
) -> str:
    """Return why a ruling at a deadline contradicts its match, or an empty string."""
    story, match = story_with(ruling, *later)
    try:
        check_rulings(
            {(1, 1): DeadlineRuling(ruling, consequence)}, story.state, {} if examined is None else {match: examined}
        )
    except LogFault as fault:
        return fault.why
    return ""


def test_a_ruling_at_a_deadline_agrees_with_the_match_that_it_ended() -> None:
    assert why(EXAMINED) == ""
    assert "which a deadline ended, is missing" in why(None)
    assert "which a deadline ended, is missing" in why(MatchExamined(GOOD))
    for status in ("ended", "running"):
        assert f"is {status}, not void" in why(replace(EXAMINED, outcome=replace(VOID, status=status)))
    assert "the scores at the deadline were (7, 3)" in why(replace(EXAMINED, open_scores=(7, 3)))
    drawn = replace(RULED, scores=(0, 0), reason=BY_LOT, drawn=True)
    assert why(EXAMINED, drawn, consequence="lots") == ""
    assert "it has begun, so lots do not decide it" in why(EXAMINED, drawn)
    assert why(replace(EXAMINED, open_scores=()), drawn) == ""


def test_bots_play_on_in_a_match_that_has_begun() -> None:
    ruled = replace(RULED, scores=(3, 3), places=(1, 1), lines=((3, 3),) * 5, bot="bot:x@1")
    assert why(EXAMINED, ruled, consequence="bots") == ""
    assert "it has not begun, so no bots play on" in why(replace(EXAMINED, open_scores=()), ruled, consequence="bots")


def test_overdue_seats_agree_with_the_last_position() -> None:
    verdict = Verdict((1, 2), (3, 7), BY_OVERDUE, overdue=(1,))
    late, ruled = replace(EXAMINED, overdue=verdict), replace(RULED, places=(1, 2), overdue=(1,))
    assert why(late, ruled, consequence="overdue") == ""
    assert "the overdue seats were (1,)" in why(late, replace(ruled, overdue=(1, 0)), consequence="overdue")
    assert "so the places are (1, 2), not (2, 1)" in why(late, RULED, consequence="overdue")
    assert "no player was overdue" in why(EXAMINED, ruled, consequence="overdue")
    assert why(EXAMINED, RULED, consequence="overdue") == ""


def test_a_ruling_that_an_organiser_replaced_is_not_compared() -> None:
    assert why(None, RULED, facts.ResultRuled(BY, 1, 1, (1, 2), (7, 3), "Seen.")) == ""
    assert why(None, RULED, facts.ResultWithdrawn(BY, 1, 1)) == ""


def test_a_pairing_agrees_with_the_results_unless_a_ruling_may_have_changed_them() -> None:
    story = Story(4, size=2).play()
    asked = rounds.ask_pairing(story.state, story.results, SERVICE)
    (first, *others) = matches_before(story.state)
    examined = dict.fromkeys((first, *others), EXAMINED)
    pending = [Pending(9, story.state, asked)]
    assert list_unfitting(pending, story.results) == ()

    story.result(1, 0, 9, places=(2, 1)) if story.results[first].places[0] == 1 else story.result(1, 9, 0)
    assert list_unfitting(pending, story.results) == tuple(pending)
    with pytest.raises(LogFault, match="record 9: it does not follow from the results"):
        list(check_pending(pending, examined))
    ruled = {**examined, first: replace(EXAMINED, is_ruled=True)}
    assert list(check_pending(pending, ruled)) == [BEFORE_A_RULING.format(record=9)]


def test_an_impossible_pairing_does_not_agree() -> None:
    story = Story(2, size=2)
    asked = rounds.ask_pairing(story.state, {}, SERVICE)
    pending = Pending(4, story.take(facts.EntryWithdrawn("p1", "e1")).state, asked)

    assert list_unfitting([pending], {}) == (pending,)


def test_tables_with_luck_of_the_service_and_new_luck_are_named() -> None:
    story, match = story_with()
    alone = MatchExamined(VerifyReport(None), reopened=2)

    assert list(noted_matches(story.state, {match: EXAMINED})) == []
    assert list(noted_matches(story.state, {})) == []
    assert list(noted_matches(story.state, {match: alone})) == [
        SERVICE_LUCK.format(round=1, table=1),
        REOPENED.format(round=1, table=1, count=2),
    ]


def test_luck_that_was_replaced_more_than_three_times_is_refused() -> None:
    story, match = story_with()
    often = {match: replace(EXAMINED, reopened=4)}

    require_bounded_luck(story.state, {})
    require_bounded_luck(story.state, {match: replace(EXAMINED, reopened=3)})
    require_bounded_luck(replace(story.state, format=1), often)
    with pytest.raises(LogFault, match="was replaced 4 times"):
        require_bounded_luck(story.state, often)


def test_a_table_without_a_match_has_no_luck() -> None:
    story, _ = story_with()
    (table,) = story.state.rounds[0].tables
    bare = replace(story.state, rounds=(replace(story.state.rounds[0], tables=(replace(table, match=None),)),))

    assert list(noted_matches(bare, {})) == []
    assert list(matches_before(bare)) == []
    with pytest.raises(LogFault, match="is missing"):
        check_rulings(
            {(1, 1): DeadlineRuling(RULED, "score")}, replace(bare, rounds=(with_ruling(bare.rounds[0]),)), {}
        )


def with_ruling(round_: Any) -> Any:
    """Return a round whose table has a ruling of the service."""
    ruled = story_with(RULED)[0].state.rounds[0].tables[0].given
    return replace(round_, tables=(replace(round_.tables[0], given=ruled),))
