"""Which records of the service follow from earlier ones, so that they need no signature of an organiser."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final
from uuid import UUID

import pytest

from domain.contests.deadlines import BY_LOT, BY_OVERDUE, BY_SCORE, Consequence, lots_after
from domain.contests.times import RoundTime
from domain.kernel.values import replace
from domain.matches.facts import SERVICE
from domain.standings.contest import Stage
from domain.tournaments import check_in, facts, rounds
from domain.tournaments.calendar import PAIRED_BEFORE, Calendar
from domain.tournaments.check_in_facts import CheckedIn, CheckInClosed
from domain.tournaments.claim_facts import ResultClaimed, ResultConfirmed
from domain.tournaments.claims import claim
from domain.tournaments.contest_facts import AbsencesStated
from domain.tournaments.deadline_facts import DeadlineExtended
from domain.tournaments.derivation import (
    fits_results,
    followers,
    require_derivable,
    require_possible,
    take_expected,
)
from domain.tournaments.errors import NoSuchRound, TournamentRefused
from domain.tournaments.moments import Moment
from domain.tournaments.orders import is_order
from domain.tournaments.preparation import possible_stages
from tests.domain.tournaments.building import AT, BY, Story

LATER: Final = AT + timedelta(hours=1)
PREVIOUS: Final = b"\x07" * 32
KEY: Final = UUID(int=9)


STARTED: Final = facts.CalendarSet(BY, Calendar(rounds=(RoundTime(AT),)))


def story(count: int = 4, **plan: Any) -> Story:
    """Return a tournament of format 2."""
    return Story(count, **{"size": 2, **plan})


def derives(told: Story, fact: Any, *, before: Any = None, previous: bytes = PREVIOUS) -> str:
    """Return why the service may not record this now, or an empty string."""
    try:
        require_possible(told.state, fact)
        require_derivable(told.state, fact, Moment(told.at, previous, before))
    except (TournamentRefused, NoSuchRound) as refusal:
        return str(refusal)
    return ""


def impossible(told: Story, fact: Any) -> str:
    """Return why no one may record this now, or an empty string."""
    try:
        require_possible(told.state, fact)
    except (TournamentRefused, NoSuchRound) as refusal:
        return str(refusal)
    return ""


def test_the_format_decides_what_is_signed() -> None:
    told = story()
    withdrawn = facts.EntryWithdrawn(BY, "e1", "ill")

    assert is_order(told.state, withdrawn)
    assert not is_order(replace(told.state, format=1), withdrawn)
    assert is_order(replace(told.state, format=1), facts.RoundClosed(BY, 1))
    assert not is_order(None, facts.RoundClosed(BY, 1))
    assert not is_order(told.state, facts.Announced(BY, "Welcome."))


def test_an_organiser_has_to_decide_what_no_rule_decides() -> None:
    told = story().pair().publish()
    for fact in (
        facts.PlanChanged(SERVICE, told.state.plan),
        facts.EntryWithdrawn(SERVICE, "e1", "gone"),
        facts.PenaltyGiven(SERVICE, "e1", 60, "late"),
        facts.NoShowNoted(SERVICE, 1, "e1", reason="gone"),
    ):
        assert "an organiser has to, and to sign it" in derives(told, fact)


def test_a_check_in_closes_in_time_and_withdraws_exactly_the_absent() -> None:
    told = story(3, cap=3)
    told.enter("p4")
    told.take(facts.CalendarSet(BY, Calendar(check_in_opens=AT, check_in_closes=LATER)), CheckedIn("p1", "e1"))
    told.take(CheckedIn("p4", "e4"), CheckedIn("p3", "e3"))
    closed = CheckInClosed(SERVICE)
    assert "from 2026-01-01T01:00:00" in derives(told, closed)
    told.at = LATER
    assert derives(told, closed) == ""

    expected = followers(told.state, closed)
    first, second = facts.EntryWithdrawn(SERVICE, "e2", check_in.NOT_THERE), facts.EntryPromoted("e4")
    assert expected == (first, second)
    with pytest.raises(TournamentRefused, match="a record about e2 must follow"):
        take_expected(expected, second)
    assert take_expected(expected, first) == (True, (second,))
    assert take_expected((second,), second) == (True, ())
    assert take_expected((), second) == (False, ())


def test_an_event_without_a_check_in_closes_none() -> None:
    assert "no check-in" in derives(story(), CheckInClosed(SERVICE))


def test_the_service_pairs_when_the_plan_and_the_calendar_say_so() -> None:
    told = story()
    asked = rounds.ask_pairing(told.state, {}, SERVICE)
    assert "automatic rounds" in derives(told, asked)

    told = story(auto=True)
    assert "no start" in derives(told, asked)
    told.take(facts.CalendarSet(BY, Calendar(rounds=(RoundTime(LATER),))))
    assert "from 2026-01-01T00:50:00" in derives(told, asked)
    told.at = LATER - PAIRED_BEFORE
    assert derives(told, asked) == ""
    told.take(asked)
    assert derives(told, asked) == "", "a proposal that does not fit any more is paired again"
    assert "is not the next one" in derives(told, replace(asked, round=2))
    told.pair().publish()
    assert "round 1 is not closed" in derives(told, replace(asked, round=2))


def test_the_problem_of_a_pairing_follows_from_the_results() -> None:
    told = story(auto=True)
    asked = rounds.ask_pairing(told.state, {}, SERVICE)
    fewer = replace(asked, problem=replace(asked.problem, entrants=asked.problem.entrants[:2]))

    assert fits_results(told.state, asked, {})
    assert not fits_results(told.state, fewer, {}), "the winner is left out"
    assert not fits_results(told.state, replace(asked, problem=replace(asked.problem, seed=5)), {})


def test_a_pairing_has_the_problem_of_its_plan_by_any_results() -> None:
    told = story(auto=True, stages=(Stage("swiss", 1), Stage("elimination"))).take(STARTED)
    asked = rounds.ask_pairing(told.state, {}, SERVICE)
    assert derives(told, asked) == ""

    first, *others = asked.problem.entrants
    for changed in (
        replace(asked, way="tables"),
        *(
            replace(asked, problem=replace(asked.problem, **change))
            for change in ({"seed": 5}, {"byes": ("e1",)}, {"locked": (("e1", "e2"),)}, {"size": 3}, {"smallest": 3})
        ),
    ):
        assert "not the problem that entries and plan give" in derives(told, changed)
    assert "not the problem" in derives(told, replace(asked, problem=replace(asked.problem, entrants=tuple(others))))
    assert "stage 1 does not follow" in derives(told, replace(asked, stage=1, way="bracket"))

    told.play()
    asked = rounds.ask_pairing(told.state, told.results, SERVICE)
    scored = replace(asked, problem=replace(asked.problem, entrants=(replace(first, rank=4), *others)))
    assert (asked.stage, derives(told, asked)) == (1, "")
    assert derives(told, scored) == "", "results give ranks, and a ruling may have changed them"


def test_only_the_end_of_an_elimination_depends_on_results() -> None:
    told = story(stages=(Stage("elimination"), Stage("swiss", 2)))
    assert possible_stages(told.state) == {0}
    told.play()
    assert possible_stages(told.state) == {0, 1}
    told.play()
    assert possible_stages(told.state) == {1}, "the final has been played"
    told.play()
    assert possible_stages(told.state) == {1}
    told.play()
    assert possible_stages(told.state) == {None}
    assert possible_stages(story(stages=(Stage("elimination"),)).play().state) == {0, None}


def test_the_service_publishes_unedited_tables_that_fit_in_time() -> None:
    told = story(auto=True)
    told.take(facts.CalendarSet(BY, Calendar(rounds=(RoundTime(LATER),)))).pair()
    published = rounds.publish(told.state, 1, {}, SERVICE)
    assert "from 2026-01-01T01:00:00" in derives(told, published)
    told.at = LATER
    assert derives(told, published) == ""
    assert fits_results(told.state, published, {})
    gone = story(auto=True).pair().take(facts.EntryWithdrawn("p1", "e1"))
    assert not fits_results(gone.state, published, {})
    assert "a player has withdrawn" in derives(gone, published)
    away = story(auto=True).pair().take(AbsencesStated("p1", "e1", (1,)))
    assert not fits_results(away.state, published, {})
    assert "a player is away" in derives(away, published)
    final = story(auto=True, stages=(Stage("elimination"),)).pair().take(AbsencesStated("p1", "e1", (1,)))
    assert fits_results(final.state, published, {})
    assert derives(final, published) == ""
    first, second = (table[0] for table in told.tables)
    swapped = rounds.swap(told.state, 1, first, second, "better", BY)
    assert impossible(told, swapped) == ""
    told.take(swapped)
    assert "edited" in derives(told, published)
    assert "automatic" in derives(story().pair(), published)
    assert "is opened, not proposed" in impossible(story().pair().publish(), published)


def test_a_proposal_seats_the_players_that_were_asked_for() -> None:
    told = story(6).pair()
    locked = told.state.rounds[0].tables[0].entries
    told.take(rounds.ask_pairing(told.state, {}, BY, tables=(1,)))
    others = [entry.id for entry in told.state.entries if entry.id not in locked]

    def propose(*tables: tuple[str, ...], byes: tuple[str, ...] = ()) -> str:
        return impossible(told, facts.PairingProposed(1, tables, byes, (), (), "tables"))

    good = (locked, (others[0], others[1]), (others[2], others[3]))
    assert propose(*good) == ""
    assert "every player needs one table" in propose(*good[1:])
    assert "locked" in propose((locked[0], others[0]), (locked[1], others[1]), good[2])
    told = story(3).take()
    told.take(rounds.ask_pairing(told.state, {}, BY, byes=("e1",)))
    assert propose(("e1", "e2"), byes=("e3",)) == "a locked table or a requested bye is missing"
    assert "not asked" in impossible(story().pair(), facts.PairingProposed(1, good, (), (), (), "tables"))


def hall(*claimed: tuple[str, tuple[int, ...], tuple[int, ...]], **plan: Any) -> tuple[Story, Any]:
    """Return a face-to-face round of one table whose players have claimed results, and the last claim."""
    told, last = story(2, face_to_face=True, **plan).pair().publish(), None
    for number, (entry, scores, places) in enumerate(claimed):
        last = claim(told.state, 1, 1, entry, scores, places, UUID(int=number))[0]
        told.take(last)
    return told, last


WON: Final = ((7, 3), (1, 2))
ENTERED: Final = facts.ResultEntered(SERVICE, 1, 1, *WON)


def test_a_result_needs_the_claims_of_its_players() -> None:
    both, last = hall(("e1", *WON), ("e2", *WON))
    assert isinstance(last, ResultConfirmed)
    assert derives(both, ENTERED, before=last) == ""
    one, only = hall(("e1", *WON))
    assert isinstance(only, ResultClaimed)
    for told, before, fact in (
        (one, only, ENTERED),
        (both, facts.Announced(BY, "x"), ENTERED),
        (both, replace(last, table=2), ENTERED),
        (both, last, replace(ENTERED, places=(2, 1))),
        (both.take(ENTERED), last, ENTERED),
        (*hall(("e1", *WON), ("e2", (3, 7), (2, 1))), ENTERED),
        (*claimed_by_a_stranger(), ENTERED),
        (*hall(("e1", *WON), ("e2", *WON), ("e1", (3, 7), (2, 1))), ENTERED),
    ):
        assert "have not agreed" in derives(told, fact, before=before)


def claimed_by_a_stranger() -> tuple[Story, Any]:
    """Return a table with the claims of a player and of an entry that does not sit there."""
    told, _ = hall(("e1", *WON))
    last = ResultConfirmed(1, 1, "e9", "e1", UUID(int=8))
    return told.take(last), last


def test_no_result_is_entered_at_a_table_that_is_played_online() -> None:
    told = story().pair().publish()
    assert "played online" in impossible(told, replace(ENTERED, by=BY))
    assert "no table 9" in impossible(told, replace(ENTERED, by=BY, table=9))


def late_round(consequence: Consequence, extension_days: int = 0, **plan: Any) -> Story:
    told = story(2, **plan)
    times = (RoundTime(None, LATER),)
    calendar = Calendar(rounds=times, consequence=consequence, extension_days=extension_days)
    told.take(facts.CalendarSet(BY, calendar))
    return told.pair().publish()


def test_lots_at_a_deadline_follow_from_the_match_or_the_record_before() -> None:
    told = late_round("lots")
    drawn = facts.ResultRuled(SERVICE, 1, 1, (2, 1), (0, 0), BY_LOT, drawn=True)
    assert "from 2026-01-01T01:00:00" in derives(told, drawn)
    told.at = LATER
    assert derives(told, drawn) == "", "the match in the file shows whether these are its lots"
    assert "consequence" in derives(told, replace(drawn, drawn=False))
    assert "consequence" in derives(told, replace(drawn, scores=(0, 1)))
    assert "no deadline" in derives(Story(2, size=2).pair().publish(), drawn)

    told = late_round("lots", face_to_face=True)
    told.at = LATER
    places = lots_after(PREVIOUS, told.tables[0])
    ruled = facts.ResultRuled(SERVICE, 1, 1, places, (0, 0), BY_LOT)
    assert derives(told, ruled) == ""
    assert "consequence" in derives(told, replace(ruled, places=places[::-1]))
    assert "consequence" in derives(told, replace(ruled, drawn=True))
    told.take(facts.DeadlinePassed(1, LATER))
    assert "no deadline" in derives(told, ruled)
    assert "is closed" in derives(told.take(facts.RoundClosed(BY, 1)), ruled)


def test_lots_put_the_entries_in_the_order_of_their_hashes() -> None:
    assert lots_after(bytes(32), ("e1", "e2", "e3")) == (1, 3, 2)
    assert sorted(lots_after(PREVIOUS, ("e1", "e2", "e3", "e4"))) == [1, 2, 3, 4]


def test_scores_at_a_deadline_give_the_places() -> None:
    told = late_round("score")
    told.at = LATER
    ruled = facts.ResultRuled(SERVICE, 1, 1, (2, 1), (3, 7), BY_SCORE)
    assert derives(told, ruled) == ""
    assert "consequence" in derives(told, replace(ruled, places=(1, 2)))
    assert "consequence" in derives(told, replace(ruled, drawn=True))
    assert "no deadline" in derives(told.take(ruled), ruled)


def test_lots_replace_a_decision_by_scores_that_do_not_exist() -> None:
    for consequence in ("score", "overdue"):
        told = late_round(consequence)
        told.at = LATER
        drawn = facts.ResultRuled(SERVICE, 1, 1, (2, 1), (0, 0), BY_LOT, drawn=True)
        assert derives(told, drawn) == "", "the match in the file shows that it has no scores"
        assert "consequence" in derives(told, replace(drawn, overdue=(0,)))


def test_overdue_players_are_behind_the_others() -> None:
    told = late_round("overdue")
    told.at = LATER
    ruled = facts.ResultRuled(SERVICE, 1, 1, (1, 2), (3, 7), BY_OVERDUE, overdue=(1,))
    assert derives(told, ruled) == ""
    assert derives(told, replace(ruled, places=(2, 1), overdue=())) == "", "the match shows whether no one was overdue"
    assert "consequence" in derives(told, replace(ruled, places=(2, 1)))
    told = late_round("score")
    told.at = LATER
    assert "consequence" in derives(told, ruled)


def test_the_service_decides_for_an_organiser_who_does_not() -> None:
    told = late_round("organiser")
    ruled = facts.ResultRuled(SERVICE, 1, 1, (2, 1), (3, 7), "So.")
    told.at = LATER
    assert "from 2026-01-08T01:00:00" in derives(told, ruled)
    told.take(facts.DeadlinePassed(1, LATER, LATER + timedelta(days=7)))
    told.at = LATER + timedelta(days=7)
    assert derives(told, ruled) == ""
    assert "consequence" in derives(told, replace(ruled, overdue=(0,)))


def test_a_deadline_is_extended_once_before_its_tables_are_decided() -> None:
    told = late_round("score", extension_days=2)
    ruled = facts.ResultRuled(SERVICE, 1, 1, (2, 1), (3, 7), BY_SCORE)
    extended = DeadlineExtended(SERVICE, 1, LATER + timedelta(days=2), "So.")
    assert "from 2026-01-01T01:00:00" in derives(told, extended)
    told.at = LATER
    assert "no deadline" in derives(told, ruled)
    assert "by 2 days" in derives(told, replace(extended, deadline=LATER + timedelta(days=3)))
    assert derives(told, extended) == ""
    told.take(extended)
    assert "from 2026-01-03T01:00:00" in derives(told, ruled)
    assert "no deadline of this round is extended" in derives(told, extended)
    told.at = LATER + timedelta(days=2)
    assert derives(told, ruled) == ""
    later = late_round("score")
    later.at = LATER
    assert "no deadline of this round is extended" in derives(later, extended)


def test_the_service_closes_automatic_rounds_and_ends_after_the_last() -> None:
    told = story(2, auto=True, stages=(Stage("swiss", 1),)).pair().publish().result(1, 7, 3)
    closed, ended = facts.RoundClosed(SERVICE, 1), facts.TournamentEnded(SERVICE)
    assert derives(told, closed) == ""
    assert "automatic" in derives(story(2).pair().publish(), closed)
    assert "different results" in derives(hall(("e1", *WON), ("e2", (3, 7), (2, 1)), auto=True)[0], closed)
    assert "only after the closing" in derives(told, ended)
    assert "another round must follow" in derives(story(2).play(), ended, before=closed)
    told.take(closed)
    assert derives(told, ended, before=closed) == ""
    assert fits_results(told.state, ended, told.results)
