"""The command that invites the qualified people to the final, by the organiser and later in turn by the service."""

from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from domain.circuits import commands, decisions
from domain.circuits.duties import INVITE, duty_of
from domain.circuits.fact_base import ContestKey
from domain.circuits.final_answers import FinalEvent, find_final
from domain.circuits.final_invitations import fill_final
from domain.circuits.plan import CircuitRefused
from domain.circuits.state import CIRCUIT, Circuit
from domain.contests.duties import DueStep
from domain.eventstore.application import Matches
from domain.leagues import commands as leagues
from domain.leagues import seasons
from domain.leagues.invitation_facts import InvitationDeclined, InvitedTo
from domain.leagues.plan import Division, LeaguePlan
from domain.leagues.state import LEAGUE
from domain.matches.errors import StaleVersion
from domain.matches.facts import SERVICE
from domain.roles.state import ROLES, ROLES_STREAM, RoleGranted
from domain.tournaments import commands as tournaments
from domain.tournaments import invitations, registration
from domain.tournaments.facts import TournamentEnded
from domain.tournaments.invitation_facts import PersonInvited
from domain.tournaments.state import TOURNAMENT
from tests.domain.circuits.circuit_stories import ID, START, contest, plan_with, standings_of, tournament
from tests.domain.tournaments.building import plan_with as tournament_plan

CUP = tournament(50)
SEASON = ContestKey("season", UUID(int=70), 1)
RESULTS = (contest(1, "a", "b", "c", "d"),)
DAY = timedelta(days=1)


class FinalStory:
    """A circuit with official standings a, b, c, d, two places in its final, and a week to answer."""

    def __init__(self, matches: Matches, final: ContestKey = CUP, *, organiser: str = "org") -> None:
        self.matches = matches
        self.final = final
        self.at = START
        if final == CUP:
            plan = tournament_plan(registration="invite")
            tournaments.open_tournament(matches, CUP.id, plan, organiser, at=START)
        else:
            league_plan = LeaguePlan(name="Serra", title="el_grande", size=2, divisions=(Division("First", 0, 2),))
            leagues.open_league(matches, SEASON.id, organiser, league_plan, at=START)
            leagues.execute(matches, SEASON.id, lambda league: seasons.open_season(league, "org", "One"), at=START)
        commands.open_circuit(matches, ID, "org", plan_with(qualify=2, answer_days=7), at=START)
        lines = standings_of(plan_with(), *RESULTS)
        self.execute(lambda state: decisions.settle(state, "org", RESULTS, lines))
        self.execute(lambda state: decisions.name_final(state, "org", final))

    def execute(self, decide: Any) -> None:
        commands.execute(self.matches, ID, decide, at=self.at)

    @property
    def state(self) -> Circuit:
        return self.matches.streams.get(CIRCUIT, ID).state

    @property
    def event(self) -> FinalEvent:
        event = find_final(self.matches.streams, self.final)
        assert event is not None
        return event

    @property
    def duty(self) -> DueStep | None:
        return duty_of(self.state, self.event)

    @property
    def until(self) -> datetime:
        return self.at + 7 * DAY

    def fills(self, by: str = SERVICE, **options: Any) -> Circuit:
        return self.matches.transact(fill_final(self.matches, ID, by, **options), at=self.at).state

    def answers(self, decide: Any) -> None:
        """Record an answer in the tournament."""
        tournaments.change(self.matches, CUP.id, decide, at=self.at)

    def holders(self) -> list[str]:
        """Return the people with an open invitation or an entry that is theirs."""
        event = self.event
        entered = [entry.actor for entry in getattr(event, "entries", ()) if entry.status == "in"]
        return sorted([*entered, *(each.actor for each in event.invitations.open)])


def people(state: Circuit) -> list[tuple[str, str | None]]:
    return [(each.actor, each.released) for each in state.invited_to_final]


def test_one_press_invites_the_qualified_people_with_their_entries(matches: Matches) -> None:
    story = FinalStory(matches)
    state = story.fills("org")
    version = matches.streams.get(CIRCUIT, ID).version
    again = story.fills("org")

    assert people(state) == [("a", None), ("b", None)]
    assert {each.until for each in state.invited} == {story.until}
    invited = [each.fact for each in story.event.invitations.open]
    assert [(each.by, each.reason) for each in invited] == [("org", "qualified in Island circuit")] * 2
    assert all(isinstance(each, PersonInvited) and each.enters for each in invited)
    assert (again, matches.streams.get(CIRCUIT, ID).version) == (state, version)
    assert story.duty == DueStep(INVITE, story.until)


def test_the_next_in_rank_is_invited_in_turn(matches: Matches) -> None:
    story = FinalStory(matches)
    first_until = story.until
    story.fills("org")
    story.answers(lambda state: registration.enter(state, "b", actor="b"))
    story.answers(lambda state: invitations.decline(state, "a", "", 0))
    assert story.duty == DueStep(INVITE)
    story.at += DAY
    state = story.fills()
    with pytest.raises(CircuitRefused, match="no place in the final is free"):
        story.fills()

    assert people(state) == [("a", "declined"), ("b", None), ("c", None)]
    assert story.holders() == ["b", "c"]
    assert story.duty == DueStep(INVITE, first_until + DAY)
    story.at += 7 * DAY
    state = story.fills()
    assert people(state) == [("a", "declined"), ("b", None), ("c", "silent"), ("d", None)]
    assert story.holders() == ["b", "d"]
    story.answers(lambda event: registration.withdraw(event, event.entry_of("b").id, "b"))
    story.fills()
    assert people(story.state)[1] == ("b", "left")
    assert story.holders() == ["d"], "no one is left to be invited"


def test_a_late_or_repeated_step_changes_nothing(matches: Matches) -> None:
    story = FinalStory(matches)
    story.fills("org")
    version = matches.streams.get(CIRCUIT, ID).version
    story.answers(lambda state: invitations.decline(state, "a", "", 0))
    story.fills(expected_version=version)

    with pytest.raises(StaleVersion):
        story.fills(expected_version=version)
    assert story.holders() == ["b", "c"]


def test_unfit_people_are_passed_over(matches: Matches) -> None:
    assert people(FinalStory(matches).fills("org", unfit=("a", "c"))) == [("b", None), ("d", None)]


def test_an_organiser_who_qualified_is_entered(matches: Matches) -> None:
    story = FinalStory(matches, organiser="a")
    story.fills("a")

    entry = matches.streams.get(TOURNAMENT, CUP.id).state.entry_of("a")
    assert entry is not None
    assert entry.status == "in"
    assert story.holders() == ["a", "b"]


@pytest.mark.parametrize("final", [CUP, SEASON])
def test_a_final_that_takes_no_entries_takes_no_invitations(matches: Matches, final: ContestKey) -> None:
    story = FinalStory(matches, final)
    if final == SEASON:
        leagues.execute(matches, SEASON.id, enter_two, at=START)
        leagues.execute(matches, SEASON.id, lambda league: seasons.draw(league, "org", {}), at=START)
    else:
        story.answers(lambda _: TournamentEnded("org"))
    with pytest.raises(CircuitRefused, match="the final does not take entries at present"):
        story.fills("org")

    assert story.duty is None
    assert duty_of(story.state, None) is None


def enter_two(league: Any) -> Any:
    bots = ("bot:greedy@1", "bot:random@1")
    return [seasons.enter(league, "org", bot, 0, is_organiser=True) for bot in bots]


def test_a_season_is_filled_by_the_service(matches: Matches) -> None:
    story = FinalStory(matches, SEASON)
    assert story.duty is None
    assert story.fills("org") == story.fills("org")
    declined = InvitationDeclined("a", "a", InvitedTo(1))
    leagues.execute(matches, SEASON.id, lambda _: declined, at=story.at)
    story.fills()
    story.at += 7 * DAY
    story.fills()

    made = matches.streams.get(LEAGUE, SEASON.id).state.invitations.made.values()
    assert [(each.actor, each.answer, each.fact.by) for each in made] == [
        ("a", "declined", "org"),
        ("b", "withdrawn", "org"),
        ("c", "withdrawn", SERVICE),
        ("d", "", SERVICE),
    ]
    assert people(story.state)[1:] == [("b", "silent"), ("c", "silent"), ("d", None)]


def test_an_organiser_who_signs_has_to_invite_the_next(matches: Matches) -> None:
    story = FinalStory(matches)
    story.fills("org")
    grant = RoleGranted("org", "organiser", SERVICE, str(CUP.id), keys=("ab" * 32,))
    matches.transact(lambda batch: batch.record(ROLES, ROLES_STREAM, grant), at=story.at)
    story.answers(lambda state: invitations.decline(state, "a", "", 0))
    story.fills()

    assert people(story.state) == [("a", "declined"), ("b", None)]
    assert story.duty == DueStep(INVITE, story.until)


def test_the_service_acts_for_no_one_but_an_organiser(matches: Matches) -> None:
    story = FinalStory(matches, organiser="olga")
    story.fills("org")
    story.answers(lambda state: invitations.decline(state, "a", "", 0))
    story.fills()

    assert story.state.inviter == "org"
    assert people(story.state) == [("a", "declined"), ("b", None)]


def test_the_console_is_followed_by_the_service(matches: Matches) -> None:
    story = FinalStory(matches, organiser=SERVICE)
    story.fills("org")
    story.answers(lambda state: invitations.decline(state, "a", "", 0))
    story.fills()

    assert people(story.state)[-1] == ("c", None)
    assert [each.released for each in story.state.invited] == ["declined", None, None]
