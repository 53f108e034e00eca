"""The answers of people in the final: read from a tournament, and from a season of a league."""

from domain.circuits.final_answers import season_answers, tournament_answers
from domain.kernel.values import replace
from domain.leagues import invitations as league_invitations
from domain.leagues import seasons
from domain.leagues.invitation_facts import InvitedTo
from domain.leagues.plan import Division
from domain.tournaments import facts, invitations, registration
from tests.domain.leagues.test_leagues import PLAN
from tests.domain.leagues.test_leagues import Story as LeagueStory
from tests.domain.tournaments.building import BY, Story


def test_the_answers_in_a_tournament() -> None:
    story = Story(1)
    for actor in ("ann", "ben", "cleo", "dora"):
        story.take(registration.enter(story.state, BY, actor=actor, as_organiser=True))
    story.take(registration.enter(story.state, BY, actor="bot:random@1", as_organiser=True))
    story.take(registration.enter(story.state, BY, name="Nora", as_organiser=True))
    story.take(registration.enter(story.state, "ann", actor="ann"))
    story.take(*registration.withdraw(story.state, "e1", "p1"))
    story.take(invitations.decline(story.state, "ben", "", 0))
    story.take(*invitations.take_back(story.state, "cleo", BY))
    # An invitation to return is no invitation to the final.
    story.take(*registration.return_entry(story.state, "e1", BY, "Please."))

    answers = {"ann": "entered", "ben": "declined", "cleo": "withdrawn", "dora": "invited", "p1": "left"}
    assert tournament_answers(story.state) == answers
    story.take(facts.TournamentEnded(BY))
    assert tournament_answers(story.state) == {**answers, "dora": "withdrawn"}


def test_the_answers_in_a_season() -> None:
    story = LeagueStory(replace(PLAN, size=2, divisions=(Division("First", 0, 4),)))
    assert season_answers(story.league, 1) == {}
    story.adds(seasons.open_season(story.league, "org", "Spring"))
    for actor in ("ann", "ben", "cleo", "dora", "fred", "bot:greedy@1"):
        story.adds(seasons.enter(story.league, "org", actor, 0, is_organiser=True))
    for actor in ("ann", "cleo", "fred"):
        story.adds(league_invitations.accept(story.league, actor, InvitedTo(1), 0))
    story.adds(league_invitations.decline(story.league, "ben", InvitedTo(1)))
    story.adds(league_invitations.invite(story.league, "org", "gus"))
    story.adds(*seasons.leave(story.league, "fred", "fred"))

    registering = {"ann": "entered", "ben": "declined", "cleo": "entered", "dora": "invited", "fred": "left"}
    assert season_answers(story.league, 1) == registering
    story.adds(seasons.draw(story.league, "org", {}))
    story.adds(*seasons.leave(story.league, "cleo", "cleo"))
    assert season_answers(story.league, 1) == {**registering, "dora": "withdrawn", "cleo": "left"}
