"""Conditions of entry: the same rules and messages for tournaments and leagues."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from domain.contests import entry_errors as errors
from domain.contests.conditions import (
    ClubSeen,
    Entrant,
    EntryConditions,
    Exclusion,
    RatingBand,
    TitleRating,
    judge,
    normal_conditions,
    refusal_of_entry,
)
from domain.contests.errors import PlanRefused
from domain.eventstore.application import Matches
from domain.kernel.values import replace
from domain.leagues.commands import complete_plan
from domain.leagues.plan import LeagueRefused
from domain.matches.errors import UnknownTitle
from domain.titles import TITLES
from domain.tournaments import registration
from domain.tournaments.errors import TournamentRefused
from domain.tournaments.facts import EntryMade
from domain.tournaments.imports import PlayerRow, import_players
from domain.tournaments.invitation_facts import PersonInvited
from tests.domain.contests.entering import ORGANISER, SUBJECTS, Entering
from tests.domain.leagues.test_leagues import PLAN
from tests.domain.tournaments.building import BY, Story, plan_with

Open = Callable[[EntryConditions | None], Entering]
CLUB, OTHER = UUID(int=1), UUID(int=2)
EXCLUSION = Exclusion(datetime(2027, 3, 1, tzinfo=UTC), "Left three rounds.")
BAND = EntryConditions(ratings=(RatingBand("la_granja", 1500, 1800),))


def rated(points: int, matches: int = 20) -> Entrant:
    return Entrant(ratings=(TitleRating("la_granja", "La Granja", points, matches),))


CASES: list[tuple[EntryConditions, Entrant, type[errors.EntryRefused], str]] = [
    (BAND, rated(1432), errors.RatingOutside, "your rating in La Granja is 1432; this event is for 1500 to 1800"),
    (BAND, rated(1801), errors.RatingOutside, "your rating in La Granja is 1801; this event is for 1500 to 1800"),
    (BAND, rated(0, 0), errors.RatingMissing, "you have no rating in La Granja; this event is for ratings from 1500"),
    (
        EntryConditions(ratings=(RatingBand("la_granja", least=1500),)),
        rated(1499),
        errors.RatingTooLow,
        "your rating in La Granja is 1499; this event is for at least 1500",
    ),
    (
        EntryConditions(ratings=(RatingBand("la_granja", most=1500),)),
        rated(1501),
        errors.RatingTooHigh,
        "your rating in La Granja is 1501; this event is for at most 1500",
    ),
    (
        EntryConditions(rated_matches=10),
        rated(1500, 9),
        errors.TooFewMatches,
        "you have 9 rated matches of La Granja; this event is for people with at least 10",
    ),
    (
        EntryConditions(leaving_max=10),
        Entrant(left_percent=12),
        errors.LeavesTooMany,
        "you left 12 % of your last matches; this event is for people who left at most 10 %",
    ),
    (
        EntryConditions(clubs=(CLUB, OTHER)),
        Entrant(clubs=(ClubSeen(CLUB, "Palma", is_member=False),)),
        errors.NotOfClubs,
        f"this event is for members of Palma, {OTHER}, and you are not a member",
    ),
    (
        EntryConditions(listed=True),
        Entrant(),
        errors.NotListed,
        "you are not on the list of names for this event",
    ),
    (
        EntryConditions(countries=("ES", "FR")),
        Entrant(),
        errors.CountryMissing,
        "this event is for players from ES, FR, and you have not stated a country",
    ),
    (
        EntryConditions(countries=("ES",)),
        Entrant(country="FR"),
        errors.CountryRefused,
        "your country is FR; this event is for players from ES",
    ),
    (EntryConditions(password=True), Entrant(), errors.PasswordMissing, "this event requires a password"),
    (
        EntryConditions(password=True),
        Entrant(knows_password=False),
        errors.PasswordWrong,
        "this is not the password of this event",
    ),
    (
        EntryConditions(),
        Entrant(exclusion=EXCLUSION),
        errors.Excluded,
        "you are excluded from this series of events until 2027-03-01 00:00 UTC: Left three rounds.",
    ),
]
MET: list[tuple[EntryConditions, Entrant]] = [
    (BAND, rated(1500)),
    (BAND, rated(1800, 1)),
    (EntryConditions(ratings=(RatingBand("la_granja", most=1500),)), Entrant()),
    (EntryConditions(rated_matches=10), rated(0, 10)),
    (EntryConditions(leaving_max=10), Entrant(left_percent=10)),
    (EntryConditions(leaving_max=0), Entrant()),
    (EntryConditions(clubs=(OTHER, CLUB)), Entrant(clubs=(ClubSeen(CLUB, "Palma", is_member=True),))),
    (EntryConditions(listed=True), Entrant(is_listed=True)),
    (EntryConditions(countries=("ES", "FR")), Entrant(country="FR")),
    (EntryConditions(password=True), Entrant(knows_password=True)),
    (EntryConditions(), Entrant()),
]


@pytest.mark.parametrize("open_event", SUBJECTS)
@pytest.mark.parametrize(("conditions", "entrant", "kind", "message"), CASES)
def test_who_does_not_meet_a_condition_is_refused_with_the_value(
    open_event: Open, conditions: EntryConditions, entrant: Entrant, kind: type[errors.EntryRefused], message: str
) -> None:
    event = open_event(conditions)

    with pytest.raises(kind) as refusal:
        event.enter("ann", entrant)

    assert str(refusal.value) == message


@pytest.mark.parametrize("open_event", SUBJECTS)
@pytest.mark.parametrize(("conditions", "entrant"), MET)
def test_who_meets_the_conditions_enters(open_event: Open, conditions: EntryConditions, entrant: Entrant) -> None:
    event = open_event(conditions)

    assert event.enter("ann", entrant) in {"EntryMade", "PlayerEntered"}
    assert event.acts == []


@pytest.mark.parametrize("open_event", SUBJECTS)
def test_an_organiser_waives_the_conditions_with_a_reason_that_is_recorded(open_event: Open) -> None:
    event = open_event(BAND)

    with pytest.raises(errors.ConditionUnmet) as refusal:
        event.enter("ann", rated(1432), by=ORGANISER, reason="Last year's winner.")
    with pytest.raises((TournamentRefused, LeagueRefused), match="an entry against the conditions needs a reason"):
        event.enter("ann", rated(1432), by=ORGANISER, reason=" ", waives=True)
    event.enter("ann", rated(1432), by=ORGANISER, reason=" Last year's winner. ", waives=True)

    assert str(refusal.value) == (
        "their rating in La Granja is 1432; this event is for 1500 to 1800; "
        "waive the conditions and give a reason to let them in"
    )
    assert refusal.value.values["points"] == 1432
    assert event.acts == [("person_invited", "Last year's winner.")]
    assert event.accept("ann", rated(1300)) in {"EntryMade", "PlayerEntered"}
    assert len(event.acts) == 1


@pytest.mark.parametrize("open_event", SUBJECTS)
def test_an_organiser_who_enters_despite_the_conditions_gives_a_reason_too(open_event: Open) -> None:
    event = open_event(BAND)

    with pytest.raises(errors.ConditionUnmet):
        event.enter(ORGANISER, rated(1432), by=ORGANISER)
    event.enter(ORGANISER, rated(1432), by=ORGANISER, reason="To make the number even.", waives=True)

    assert event.acts == [("entry_made", "To make the number even.")]


@pytest.mark.parametrize("open_event", SUBJECTS)
def test_an_organiser_needs_no_reason_for_someone_who_meets_the_conditions(open_event: Open) -> None:
    event = open_event(EntryConditions(ratings=BAND.ratings, password=True))

    event.enter("ann", rated(1500), by=ORGANISER, reason="Not needed.")

    assert event.acts == []
    with pytest.raises(errors.RatingOutside):
        event.accept("ann", rated(1432))


@pytest.mark.parametrize("open_event", SUBJECTS)
def test_there_is_nothing_to_waive_in_an_event_without_conditions(open_event: Open) -> None:
    event = open_event(None)

    event.enter("ann", rated(1500), by=ORGANISER, waives=True)

    assert event.acts == []


def test_the_reason_of_a_late_entry_waives_no_condition() -> None:
    story = started_event_with_conditions()
    story.take(enter_late(story, rated(1500)))

    with pytest.raises(errors.RatingOutside):
        registration.enter(story.state, "late", actor="late", entrant=rated(1432))
    assert isinstance(registration.enter(story.state, "late", actor="late", entrant=rated(1500)), EntryMade)


def started_event_with_conditions() -> Story:
    """Return an event without late entries whose plan got its conditions after the start."""
    story = Story(4, late_entry=False).pair()
    plan = replace(story.state.plan, conditions=BAND)
    story.take(registration.change_plan(TITLES, story.state, plan, BY, "Only strong players."))
    return story


def enter_late(story: Story, entrant: Entrant) -> PersonInvited:
    fact = registration.enter(
        story.state, BY, actor="late", as_organiser=True, reason="The train was late.", entrant=entrant
    )
    assert isinstance(fact, PersonInvited)
    return fact


def test_a_file_of_players_waives_no_condition() -> None:
    """Files of organisers are not checked, but the accounts in them are when they accept."""
    story = started_event_with_conditions()
    story.take(*import_players(story.state, [PlayerRow("Ann", "ann")], {"ann": "ann"}, "a" * 64, BY))

    with pytest.raises(errors.RatingOutside):
        registration.enter(story.state, "ann", actor="ann", entrant=rated(1432))


@pytest.mark.parametrize("open_event", SUBJECTS)
def test_an_invited_person_needs_no_password_but_meets_the_other_conditions(open_event: Open) -> None:
    event = open_event(EntryConditions(ratings=BAND.ratings, password=True))
    event.invite("ann")
    event.invite("ben")

    with pytest.raises(errors.RatingOutside):
        event.accept("ben", rated(1432))
    assert event.accept("ben", rated(1500)) in {"EntryMade", "PlayerEntered"}


@pytest.mark.parametrize("open_event", SUBJECTS)
def test_bots_and_entries_that_organisers_vouch_for_are_not_checked(open_event: Open) -> None:
    event = open_event(BAND)

    assert event.enter("bot:greedy@1", None, by=ORGANISER) in {"EntryMade", "PlayerEntered"}
    with pytest.raises(AssertionError, match="the service knows whether a person meets the conditions"):
        event.enter("ann", None)


@pytest.mark.parametrize("open_event", SUBJECTS)
def test_an_excluded_person_cannot_enter_an_event_without_conditions(open_event: Open) -> None:
    event = open_event(None)

    with pytest.raises(errors.Excluded, match="until 2027-03-01"):
        event.enter("ann", Entrant(exclusion=EXCLUSION))
    with pytest.raises(errors.PersonExcluded) as refusal:
        event.enter("ann", Entrant(exclusion=EXCLUSION), by=ORGANISER, reason="She asked.", waives=True)

    assert str(refusal.value) == (
        "they are excluded from this series of events until 2027-03-01 00:00 UTC; lift the exclusion first"
    )


@pytest.mark.parametrize("open_event", SUBJECTS)
def test_a_waiver_admits_nobody_who_was_excluded_since(open_event: Open) -> None:
    event = open_event(BAND)
    event.enter("ann", rated(1432), by=ORGANISER, reason="Last year's winner.", waives=True)

    with pytest.raises(errors.Excluded):
        event.accept("ann", Entrant(exclusion=EXCLUSION))


def test_a_withdrawn_entry_returns_only_if_the_person_meets_the_conditions() -> None:
    story = Story(conditions=BAND).enter("ann", entrant=rated(1500))
    story.take(*registration.withdraw(story.state, "e1", "ann"))

    with pytest.raises(errors.RatingOutside):
        registration.return_entry(story.state, "e1", "ann", entrant=rated(1432))
    (invited,) = registration.return_entry(story.state, "e1", BY, "We asked them.", entrant=rated(1432))
    story.take(invited)

    assert registration.return_entry(story.state, "e1", "ann", entrant=rated(1432)) != ()


def test_each_condition_is_judged_for_the_page_of_the_event() -> None:
    conditions = EntryConditions(
        ratings=(RatingBand("la_granja", 1500), RatingBand("el_grande", most=1700)),
        rated_matches=5,
        leaving_max=20,
        clubs=(CLUB,),
        countries=("ES",),
        listed=True,
        password=True,
    )

    judged = [(each.kind, each.refusal is None) for each in judge(conditions, "la_granja", rated(1600, 3))]

    assert judged == [
        ("rating", True),
        ("rating", True),
        ("rated_matches", False),
        ("leaving", True),
        ("club", False),
        ("list", False),
        ("country", False),
        ("password", False),
    ]
    assert refusal_of_entry(conditions, "la_granja", rated(1600, 3)) is not None


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"ratings": (RatingBand("la_granja"),)}, PlanRefused, "the condition on ratings in La Granja has no bound"),
        (
            {"ratings": (RatingBand("la_granja", 1800, 1500),)},
            PlanRefused,
            "no rating in La Granja is at least 1800 and at most 1500",
        ),
        (
            {"ratings": (RatingBand("la_granja", 1500), RatingBand("la_granja", 0, 1800))},
            PlanRefused,
            "two conditions on ratings are about the same title",
        ),
        ({"ratings": (RatingBand("chess", 1500),)}, UnknownTitle, "chess"),
        ({"countries": ("ES", "XX")}, PlanRefused, "there is no country with the code 'XX'"),
    ],
)
def test_conditions_that_contradict_themselves_are_refused(
    changes: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        registration.open_tournament(TITLES, plan_with(conditions=EntryConditions(**changes)), BY)


def test_a_league_with_contradicting_conditions_is_refused(matches: Matches) -> None:
    conditions = EntryConditions(countries=("XX",))

    with pytest.raises(LeagueRefused, match="there is no country with the code 'XX'"):
        complete_plan(matches, replace(PLAN, conditions=conditions))
    assert complete_plan(matches, replace(PLAN, conditions=BAND)).conditions == BAND


def test_conditions_are_stored_sorted_and_empty_ones_not_at_all() -> None:
    conditions = EntryConditions(countries=("FR", "ES", "FR"), clubs=(OTHER, CLUB, OTHER))

    assert normal_conditions(TITLES, conditions) == EntryConditions(countries=("ES", "FR"), clubs=(OTHER, CLUB))
    assert normal_conditions(TITLES, EntryConditions()) is None
    assert registration.require_playable(TITLES, plan_with(conditions=EntryConditions())).conditions is None
