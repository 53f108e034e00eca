"""Alternates of tournaments and seasons: each test of a shared feature runs for both."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from domain.contests.absences import Absences, Period
from domain.contests.alternates import AlternateRule, fault_of_alternates
from domain.contests.errors import ContestRefused, PlanRefused
from domain.eventstore.application import Matches
from domain.kernel.values import replace
from domain.leagues import alternates as season_alternates
from domain.leagues import seasons
from domain.leagues.availability import state_absences
from domain.leagues.plan import LeagueRefused, check_league
from domain.matches.facts import SERVICE
from domain.tournaments.contest_facts import OfferLapsed
from domain.tournaments.derivation import require_derivable
from domain.tournaments.errors import TournamentRefused
from domain.tournaments.moments import Moment
from domain.tournaments.plan import check_plan
from domain.tournaments.steps import take_offer_step
from tests.domain.contests.contest_subject import OpenSubject, Subject
from tests.domain.contests.subjects import SUBJECTS, Cup
from tests.domain.leagues.season_clock import PLAN as LEAGUE_PLAN
from tests.domain.leagues.season_clock import SeasonClock
from tests.domain.tournaments.event_clock import DAY, STARTS
from tests.domain.tournaments.event_clock import PLAN as CUP_PLAN
from tests.projections.tables import matches_in

PLAYERS = ("ann", "ben", "cleo", "dora")
RULE = AlternateRule(hours=24)
both = pytest.mark.parametrize("open_subject", SUBJECTS)


@pytest.fixture
def matches(tmp_path: Path) -> Iterator[Matches]:
    with matches_in(tmp_path / "log.db") as matches:
        yield matches


def start(open_subject: OpenSubject, matches: Matches, **changes: Any) -> Subject:
    """Open a contest with four players, whose first round is played; ann is away in the second."""
    subject = open_subject(matches, alternates=RULE, **changes)
    subject.enter(*PLAYERS)
    subject.open_round()
    subject.join_alternates(zoe=10, yan=30, xia=20)
    subject.state_absence("ann", Absences((2,)))
    return subject


def list_offers(subject: Subject) -> list[tuple[str, str]]:
    return [(offer.player, offer.answer) for offer in subject.people.offers]


@both
def test_the_strongest_alternate_who_accepts_plays_for_a_player_who_is_away(
    matches: Matches, open_subject: OpenSubject
) -> None:
    subject = start(open_subject, matches)
    subject.take_until("offer")
    assert list_offers(subject) == [("yan", "open")]
    subject.answer("yan", 2, accepted=True)
    subject.play()
    subject.open_round()

    assert "yan" in subject.playing()
    assert "ann" not in subject.playing()
    subject.play()
    subject.open_round()
    assert "ann" in subject.playing()
    assert "yan" not in subject.playing()


@both
def test_the_next_one_is_asked_when_an_offer_is_declined_or_ends(matches: Matches, open_subject: OpenSubject) -> None:
    subject = start(open_subject, matches)
    subject.take_until("offer")
    subject.answer("yan", 2, accepted=False)
    subject.take_until("offer")
    offer = subject.people.offers[-1]
    assert subject.duty() is not None
    subject.take_until("offer")

    assert list_offers(subject) == [("yan", "declined"), ("xia", "lapsed"), ("zoe", "open")]
    assert offer.ends <= subject.at
    assert subject.people.offers[-1].ends - subject.at <= timedelta(hours=24)
    with pytest.raises(ContestRefused, match="no place is offered to you in round 2"):
        subject.answer("xia", 2, accepted=True)
    subject.take_until("offer")
    assert "offer" not in subject.taken[-1:] or list_offers(subject)[-1] == ("zoe", "lapsed")


@both
def test_no_alternate_is_left_so_the_plan_decides(matches: Matches, open_subject: OpenSubject) -> None:
    subject = start(open_subject, matches)
    for player in ("yan", "xia", "zoe"):
        subject.take_until("offer")
        subject.answer(player, 2, accepted=False)
    subject.play()
    subject.open_round()

    assert subject.playing().isdisjoint({"ann", "yan", "xia", "zoe"})


@both
def test_an_offer_is_answered_once_and_in_time(matches: Matches, open_subject: OpenSubject) -> None:
    subject = start(open_subject, matches)
    with pytest.raises(ContestRefused, match="no place is offered to you in round 2"):
        subject.answer("yan", 2, accepted=True)
    subject.take_until("offer")
    with pytest.raises(ContestRefused, match="no place is offered to you in round 2"):
        subject.answer("zoe", 2, accepted=True)
    subject.answer("yan", 2, accepted=True)
    with pytest.raises(ContestRefused, match="no place is offered to you in round 2"):
        subject.answer("yan", 2, accepted=False)


@both
def test_an_answer_after_the_end_of_the_offer_is_refused(matches: Matches, open_subject: OpenSubject) -> None:
    subject = start(open_subject, matches)
    subject.take_until("offer")
    subject.at = subject.people.offers[0].ends
    with pytest.raises(ContestRefused, match="the offer ended at 2"):
        subject.answer("yan", 2, accepted=True)


@both
def test_an_offer_ends_when_the_player_takes_the_absence_back(matches: Matches, open_subject: OpenSubject) -> None:
    subject = start(open_subject, matches)
    subject.take_until("offer")
    subject.state_absence("ann", Absences())
    with pytest.raises(ContestRefused, match="the place in round 2 is not vacant any longer"):
        subject.answer("yan", 2, accepted=True)
    subject.take_until("offer")

    assert list_offers(subject) == [("yan", "lapsed")]
    subject.play()
    subject.open_round()
    assert "ann" in subject.playing()


@both
def test_an_accepted_offer_binds_the_place_for_its_round(matches: Matches, open_subject: OpenSubject) -> None:
    subject = start(open_subject, matches)
    subject.take_until("offer")
    subject.answer("yan", 2, accepted=True)
    subject.state_absence("ann", Absences())
    subject.play()
    subject.open_round()

    assert "yan" in subject.playing()


@both
def test_two_places_are_offered_to_different_people(matches: Matches, open_subject: OpenSubject) -> None:
    subject = start(open_subject, matches)
    subject.state_absence("ben", Absences((2,)))
    subject.take_until("offer")
    assert list_offers(subject) == [("yan", "open"), ("xia", "open")]
    subject.answer("yan", 2, accepted=False)
    subject.take_until("offer")

    assert list_offers(subject) == [("yan", "declined"), ("xia", "open"), ("zoe", "open")]


@both
def test_a_person_who_leaves_the_list_is_not_asked_and_loses_the_offer(
    matches: Matches, open_subject: OpenSubject
) -> None:
    subject = start(open_subject, matches)
    subject.take_until("offer")
    subject.remove_alternate("yan", "yan")
    subject.remove_alternate("xia", "org")
    subject.take_until("offer")

    assert list_offers(subject) == [("yan", "declined"), ("zoe", "open")]
    with pytest.raises(ContestRefused, match="yan is not on the list of alternates"):
        subject.remove_alternate("yan", "yan")


@both
def test_an_alternate_who_erases_the_account_is_removed_once(matches: Matches, open_subject: OpenSubject) -> None:
    subject = start(open_subject, matches)
    assert (subject.erase("yan"), subject.erase("yan")) == (True, False)
    subject.take_until("offer")

    assert list_offers(subject) == [("xia", "open")]
    assert subject.erase("xia")
    assert list_offers(subject) == [("xia", "declined")]


@both
def test_an_alternate_with_another_strength_is_asked_in_another_order(
    matches: Matches, open_subject: OpenSubject
) -> None:
    subject = start(open_subject, matches)
    subject.join_alternates(zoe=40)
    subject.join_alternates(zoe=40)
    subject.take_until("offer")

    assert list_offers(subject) == [("zoe", "open")]
    assert [*subject.people.alternates] == ["zoe", "yan", "xia"]


@both
def test_an_alternate_plays_on_for_a_player_who_leaves(matches: Matches, open_subject: OpenSubject) -> None:
    subject = start(open_subject, matches, withdrawal="substitute")
    subject.state_absence("ann", Absences())
    place = subject.place_of("ben")
    subject.leave("ben")
    subject.take_until("offer")
    assert [(offer.player, offer.place, offer.until) for offer in subject.people.offers] == [("yan", place, 0)]
    subject.answer("yan", 2, accepted=True)
    subject.play()
    subject.open_round()
    second = subject.playing()
    subject.play()
    subject.open_round()

    assert {"yan"} <= second & subject.playing()
    assert "ben" not in second | subject.playing()


@both
def test_the_place_of_a_player_who_leaves_is_not_offered_by_other_plans(
    matches: Matches, open_subject: OpenSubject
) -> None:
    subject = start(open_subject, matches)
    subject.state_absence("ann", Absences())
    subject.leave("ben")
    subject.play()
    subject.open_round()

    assert subject.people.offers == ()
    assert "ben" not in subject.playing()


@both
def test_players_strangers_and_events_without_alternates_are_refused(
    matches: Matches, open_subject: OpenSubject
) -> None:
    subject = open_subject(matches, alternates=AlternateRule(most=1))
    subject.enter("ann", "ben")
    with pytest.raises(ContestRefused, match="players of the event are not alternates"):
        subject.join_alternates(ann=1)
    subject.join_alternates(zoe=1)
    with pytest.raises(ContestRefused, match="the list of alternates is full: it has 1 places"):
        subject.join_alternates(yan=1)
    subject.open_round()
    with pytest.raises(ContestRefused, match="players of the event are not alternates"):
        subject.join_alternates(ann=1)


@both
def test_an_event_without_alternates_has_no_list_and_no_offers(matches: Matches, open_subject: OpenSubject) -> None:
    subject = open_subject(matches)
    subject.enter(*PLAYERS)
    with pytest.raises(ContestRefused, match="this event has no alternates"):
        subject.join_alternates(zoe=1)
    with pytest.raises(ContestRefused, match="this event has no alternates"):
        subject.answer("zoe", 1, accepted=True)


@both
def test_offers_that_come_too_late_give_way_to_the_round(matches: Matches, open_subject: OpenSubject) -> None:
    subject = start(open_subject, matches)
    subject.play()
    subject.at = STARTS + 8 * DAY
    subject.open_round()

    assert not [offer for offer in subject.people.offers if offer.answer == "open"]
    assert "ann" not in subject.playing()


@both
def test_an_absence_by_date_makes_a_place_vacant(matches: Matches, open_subject: OpenSubject) -> None:
    subject = start(open_subject, matches)
    subject.state_absence("ann", Absences((), (Period(STARTS + 7 * DAY, STARTS + 20 * DAY),)))
    subject.take_until("offer")
    assert [(offer.round, offer.until) for offer in subject.people.offers] == [(2, 2)]


@pytest.mark.parametrize(
    ("rule", "cap", "hours", "plays_on", "why"),
    [
        (None, 0, 0, True, "substitutes play on only with alternates in the plan"),
        (None, 0, 0, False, None),
        (AlternateRule(most=9), 8, 0, False, "9 alternates are more than the 8 players"),
        (AlternateRule(hours=200), 0, 168, True, "200 hours to answer, longer than a round of 168 hours"),
        (AlternateRule(most=8, hours=168), 8, 168, True, None),
    ],
)
def test_a_plan_that_contradicts_itself_is_refused(
    rule: AlternateRule | None, cap: int, hours: int, plays_on: bool, why: str | None
) -> None:
    assert (why or "") in (fault_of_alternates(rule, cap, hours, plays_on=plays_on) or "")
    assert (fault_of_alternates(rule, cap, hours, plays_on=plays_on) is None) == (why is None)


def test_both_plans_refuse_more_alternates_than_players() -> None:
    rule = AlternateRule(most=9)
    with pytest.raises(LeagueRefused, match="9 alternates are more than the 8 players"):
        check_league(replace(LEAGUE_PLAN, alternates=rule, cap=8))
    with pytest.raises(PlanRefused, match="9 alternates are more than the 8 players"):
        check_plan(replace(CUP_PLAN, alternates=rule, cap=8))


def test_a_league_lists_alternates_before_its_first_season_and_between_seasons(matches: Matches) -> None:
    clock = SeasonClock(matches, replace(LEAGUE_PLAN, alternates=RULE))
    clock.do(lambda league: season_alternates.list_alternate(league, "zoe", "zoe", 1))
    clock.take_until("register")
    clock.enter(*PLAYERS)
    clock.take_until("draw")
    clock.run_season()
    clock.do(lambda league: season_alternates.list_alternate(league, "ann", "ann", 1))

    assert clock.league.people.alternates == {"zoe": 1, "ann": 1}


def test_an_alternate_plays_all_rounds_of_an_absence_that_open_together(matches: Matches) -> None:
    clock = SeasonClock(matches, replace(LEAGUE_PLAN, schedule=None, at_once=True, alternates=RULE))
    clock.do(lambda league: seasons.open_season(league, "org", "Spring"))
    clock.enter(*PLAYERS)
    clock.do(lambda league: seasons.draw(league, "org", {}))
    clock.do(lambda league: season_alternates.list_alternate(league, "zoe", "zoe", 1))
    clock.do(lambda league: state_absences(league, "ann", "ann", Absences((1, 2)), clock.at))
    clock.take_until("offer")
    (offer,) = clock.league.people.offers
    assert (offer.round, offer.until) == (1, 2)
    clock.do(lambda league: season_alternates.answer_offer(league, "zoe", offer.place, 1, clock.at, accepted=True))
    clock.do(lambda league: seasons.open_round(league, "org", clock.at))
    place = next(place for place in clock.league.seasons[0].groups[0].places if place.first == "ann")

    assert [place.in_round(number) for number in (1, 2, 3)] == ["zoe", "zoe", "ann"]
    assert clock.league.has_accepted("zoe", 1)


def test_an_organiser_opens_a_round_with_an_alternate_in_the_place_of_a_player_who_left(matches: Matches) -> None:
    clock = SeasonClock(matches, replace(LEAGUE_PLAN, schedule=None, bot="", alternates=RULE, withdrawal="substitute"))
    clock.do(lambda league: seasons.open_season(league, "org", "Spring"))
    clock.enter(*PLAYERS)
    clock.do(lambda league: seasons.draw(league, "org", {}))
    clock.do(lambda league: season_alternates.list_alternate(league, "zoe", "zoe", 1))
    clock.do(lambda league: seasons.leave(league, "ann", "ann"))
    clock.take_until("offer")
    with pytest.raises(LeagueRefused, match="ann left: name substitutes before you open round 1"):
        clock.do(lambda league: seasons.open_round(league, "org", clock.at))
    (offer,) = clock.league.people.offers
    clock.do(lambda league: season_alternates.answer_offer(league, "zoe", offer.place, 1, clock.at, accepted=True))
    clock.do(lambda league: seasons.open_round(league, "org", clock.at))

    assert "zoe" in {place.actor for place in clock.league.seasons[0].groups[0].places}


def test_a_tournament_makes_offers_only_when_they_are_due(matches: Matches) -> None:
    cup = Cup(matches, alternates=RULE)
    cup.enter(*PLAYERS)
    with pytest.raises(TournamentRefused, match="the next step of the event is 'ask', not 'offer'"):
        take_offer_step(cup.state, cup.results, cup.at)


def test_an_offer_of_a_vacant_place_does_not_lapse_before_its_end(matches: Matches) -> None:
    cup = Cup(matches, alternates=RULE)
    cup.enter(*PLAYERS)
    cup.join_alternates(zoe=1)
    cup.state_absence("ann", Absences((1,)))
    cup.take_until("offer")
    (offer,) = cup.people.offers
    fact = OfferLapsed(SERVICE, offer.player, offer.place, offer.round)

    with pytest.raises(ContestRefused, match="the offer has not ended"):
        require_derivable(cup.state, fact, Moment(cup.at, b"", None))
    require_derivable(cup.state, fact, Moment(offer.ends, b"", None))
