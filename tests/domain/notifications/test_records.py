"""Notifications about records, and their recipients."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from domain.disputes import facts as dispute_facts
from domain.leagues import contest_facts as league_offers
from domain.leagues import facts as league_facts
from domain.leagues import seasons
from domain.leagues.duties import undecided_tables
from domain.leagues.invitation_facts import InvitedTo, PlayerInvited
from domain.leagues.state import match_of
from domain.notifications.records import RecordNotification, league_recipients, notification_of, tournament_recipients
from domain.tournaments import contest_facts as offers
from domain.tournaments import facts
from domain.tournaments.fact_base import SeatedAnew
from domain.tournaments.invitation_facts import PersonInvited
from tests.domain.leagues.test_leagues import Story as LeagueStory
from tests.domain.tournaments.building import BY, Story

AT = datetime(2026, 1, 2, tzinfo=UTC)
ANNOUNCED = league_facts.LeagueAnnounced("org", "Lunch")
BOT = "bot:greedy@1"
ID = UUID(int=9)


def build_tournament() -> Story:
    """Two tables of three: p1 to p5 and a bot; p1 has a substitute."""
    story = Story(5).enter(BOT).set(("e1", "e2", "e3"), ("e4", "e5", "e6"))
    return story.take(facts.SubstituteNamed(BY, 1, "e1", "sam"))


@pytest.mark.parametrize(
    ("fact", "telling"),
    [
        (PersonInvited(BY, "p9"), RecordNotification("invitation", "tournament", people=("p9",))),
        (facts.SubstituteNamed(BY, 2, "e1", "sam"), RecordNotification("invitation", "substitute", 2, ("sam",))),
        (facts.SubstituteNamed(BY, 2, "e1"), None),
        (facts.SubstituteNamed("sam", 2, "e1", "sam"), None),
        (PersonInvited(BY, "sam", entry="e1", round=2), RecordNotification("invitation", "seat", 2, ("sam",))),
        (
            offers.PlaceOffered(by=BY, place="e1", round=2, player="sam", ends=AT),
            RecordNotification("invitation", "offer", 2, ("sam",)),
        ),
        (
            league_offers.PlaceOffered(by=BY, place="0/1", round=2, player="sam", ends=AT),
            RecordNotification("invitation", "offer", 2, ("sam",)),
        ),
        (facts.EntryPromoted("e1"), RecordNotification("invitation", "promoted")),
        (facts.RoundPublished(BY, 3, ()), RecordNotification("round", "published", 3)),
        (facts.TablesReseated(BY, 3, (), (), (), ""), RecordNotification("round", "reseated", 3)),
        (facts.PlayersReminded(3, AT, 60), RecordNotification("reminder", "deadline", 3)),
        (facts.Announced(BY, "Lunch"), RecordNotification("reminder", "announced")),
        (facts.Announced(BY, "Lunch", AT), None),
        (facts.AnnouncementShown(0), RecordNotification("reminder", "announced")),
        (facts.RoundOpened(3), None),
        (PlayerInvited(BY, "a"), RecordNotification("invitation", "league", people=("a",))),
        (PlayerInvited(BY, "z", InvitedTo(1, 0, 0, 2)), RecordNotification("invitation", "seat", 2, ("z",))),
        (league_facts.SubstituteNamed("z", 0, 0, "z", 2), None),
        (league_facts.SubstituteNamed(BY, 0, 0, "z", 2), RecordNotification("invitation", "substitute", 2, ("z",))),
        (league_facts.RoundOpened(BY, 2, AT), RecordNotification("round", "opened", 2)),
        (league_facts.DeadlineMoved(BY, 2, AT), RecordNotification("reminder", "moved", 2)),
        (league_facts.PlayersReminded(2, AT, 60), RecordNotification("reminder", "deadline", 2)),
        (league_facts.PlayerPromoted("a"), RecordNotification("invitation", "promoted", people=("a",))),
        (league_facts.DrawProposed(()), RecordNotification("round", "proposed")),
        (league_facts.LeagueAnnounced(BY, "Lunch"), RecordNotification("reminder", "announced")),
        (
            dispute_facts.DisputeRaised(match=ID, line=ID, entry=1, seat=0, by="a", reason=""),
            RecordNotification("dispute", "raised"),
        ),
        (dispute_facts.RulingAppealed(by="a", seat=0, reason=""), RecordNotification("dispute", "appealed")),
        (
            dispute_facts.CommitteeSeated(by=BY, members=("a", "b")),
            RecordNotification("dispute", "committee", people=("a", "b")),
        ),
        (dispute_facts.ArbiterAssigned(by="a"), None),
        (dispute_facts.ArbiterAssigned(by="a", handed_by="b"), RecordNotification("dispute", "handed", people=("a",))),
    ],
)
def test_notifications_of_records(fact: Any, telling: RecordNotification | None) -> None:
    assert notification_of(fact) == telling


def test_a_ruling_is_notified() -> None:
    standing = dispute_facts.MatchStanding(ID, 1, "running")
    fact = dispute_facts.RuledOn(
        ruling=ID, by="a", role="arbiter", rule="", reasons="", before=standing, after=standing
    )

    assert notification_of(fact) == RecordNotification("dispute", "ruled")


def test_a_round_concerns_the_people_at_its_tables() -> None:
    state = build_tournament().state

    assert tournament_recipients(state, facts.RoundPublished(BY, 1, ())) == ("p2", "p3", "p4", "p5", "sam")
    seated = SeatedAnew(2, ("e4", "e5", "e6"), ID)
    assert tournament_recipients(state, facts.TablesReseated(BY, 1, (seated,), (), (), "")) == ("p4", "p5")


def test_players_of_unfinished_tables_are_reminded_of_a_deadline() -> None:
    story = build_tournament()
    first, second = (table.match for table in story.state.rounds[0].tables)
    fact = facts.PlayersReminded(1, AT, 60)
    assert first is not None
    assert second is not None

    assert tournament_recipients(story.state, fact, {first}) == ("p4", "p5")
    ruled = story.take(facts.ResultRuled(BY, 1, 2, (1, 2, 3), (), "")).state
    assert tournament_recipients(ruled, fact) == ("p2", "p3", "sam")


def test_an_announcement_concerns_all_participants_and_a_promotion_its_entry() -> None:
    story = Story(3).take(facts.EntryWithdrawn("p2", "e2"))

    assert tournament_recipients(story.state, facts.Announced(BY, "Lunch")) == ("p1", "p3")
    assert tournament_recipients(story.state, facts.EntryPromoted("e3")) == ("p3",)


def test_a_league_concerns_its_entrants_and_then_the_holders_of_its_places() -> None:
    story = LeagueStory()
    assert league_recipients(story.league, ANNOUNCED) == ()
    story.adds(seasons.open_season(story.league, "org", "Spring"))
    story.adds(seasons.enter(story.league, "a", "a", 1000, is_organiser=False))
    assert league_recipients(story.league, ANNOUNCED) == ("a",)

    league_story = LeagueStory()
    league_story.season("Spring", "abcdefghijklmn")

    assert league_recipients(league_story.league, ANNOUNCED) == tuple("abcdefghijklmn")


def test_players_of_unfinished_tables_of_a_season_are_reminded() -> None:
    story = LeagueStory()
    story.season("Spring", "abcdefg")
    story.adds(*seasons.open_round(story.league, "org", AT))
    season = story.league.seasons[-1]
    tables = list(undecided_tables(story.league, season, 1, ()))
    players = [
        [season.groups[group].places[place].actor for place in season.groups[group].rounds[0][table - 1]]
        for group, _, table in tables
    ]
    fact = league_facts.PlayersReminded(1, AT, 60)

    assert league_recipients(story.league, fact) == tuple(sorted(actor for table in players for actor in table))
    over = {match_of(story.league.id, 1, *tables[0])}
    assert league_recipients(story.league, fact, over) == tuple(
        sorted(actor for table in players[1:] for actor in table)
    )
