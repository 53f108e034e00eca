"""Accounts that others enter in a league become players once they have accepted."""

from typing import Any

import msgspec
import pytest

from domain.kernel.values import replace
from domain.leagues import facts, invitations, seasons, substitutes
from domain.leagues.admission import require_new
from domain.leagues.invitation_facts import InvitedTo, PlayerInvited
from domain.leagues.invitations import holds
from domain.leagues.plan import LeagueRefused
from domain.leagues.season_state import Holder
from tests.domain.leagues.test_leagues import PLAN, Story


def test_only_accounts_that_entered_or_took_a_place_themselves_have_accepted() -> None:
    story = Story()
    story.season("Spring", "abc")
    story.adds(facts.SubstituteNamed("org", 0, 0, "x", 1), facts.SubstituteNamed("y", 0, 1, "y", 1))
    story.adds(facts.SeasonClosed("org"), facts.SeasonOpened("org", "Autumn"), facts.PlayerEntered("org", "b", 0))

    league = story.league
    assert [actor for actor in "abcxy" if league.has_accepted(actor, 1)] == ["a", "b", "c", "y"]
    assert [actor for actor in "abcxy" if league.has_accepted(actor, 2)] == []


def registering(**plan: Any) -> Story:
    story = Story(replace(PLAN, **plan))
    story.adds(seasons.open_season(story.league, "org", "Spring"))
    return story


def test_a_player_entered_by_the_organiser_enters_by_accepting_with_the_seeding_given() -> None:
    story = registering()
    invitation = seasons.enter(story.league, "org", "a", 7, is_organiser=True)
    story.adds(invitation)
    with pytest.raises(LeagueRefused, match="a is already invited"):
        seasons.enter(story.league, "org", "a", 7, is_organiser=True)
    story.adds(invitations.accept(story.league, "a", InvitedTo(1), 5))
    story.adds(seasons.enter(story.league, "org", "org", 1, is_organiser=True))
    story.adds(seasons.enter(story.league, "org", "bot:greedy@1", 0, is_organiser=True))

    assert invitation == PlayerInvited("org", "a", InvitedTo(1), 7)
    assert [(each.actor, each.seeding) for each in story.league.seasons[0].entered] == [
        ("a", 7),
        ("org", 1),
        ("bot:greedy@1", 0),
    ]
    assert story.league.invitations.open == ()


def test_an_invitation_that_was_declined_is_not_repeated() -> None:
    story = registering(registration="invite")
    story.adds(seasons.enter(story.league, "org", "a", 0, is_organiser=True))
    story.adds(invitations.decline(story.league, "a", InvitedTo(1)))

    with pytest.raises(LeagueRefused, match="'a' has declined an invitation to this league"):
        seasons.enter(story.league, "org", "a", 0, is_organiser=True)
    with pytest.raises(LeagueRefused, match="no such open invitation"):
        invitations.accept(story.league, "a", InvitedTo(1), 0)
    story.adds(seasons.enter(story.league, "a", "a", 3, is_organiser=False))
    assert story.league.seasons[0].entered[0].seeding == 3


def test_a_withdrawn_invitation_opens_nothing() -> None:
    story = registering(registration="invite")
    story.adds(invitations.invite(story.league, "org", "a"))
    story.adds(*invitations.withdraw_invitations(story.league, "org", "a"))

    with pytest.raises(LeagueRefused, match="by invitation only"):
        seasons.enter(story.league, "a", "a", 0, is_organiser=False)
    with pytest.raises(LeagueRefused, match="'a' has no open invitation"):
        invitations.withdraw_invitations(story.league, "org", "a")


def test_an_invitation_to_the_league_outlasts_a_season_and_one_to_a_season_does_not() -> None:
    story = Story()
    story.adds(invitations.invite(story.league, "org", "z"), PlayerInvited("org", "y", InvitedTo(1)))
    assert [holds(story.league, each) for each in story.league.invitations.open] == [True, False]
    story.season("Spring", "abc")

    assert [holds(story.league, each) for each in story.league.invitations.open] == [True, False]
    with pytest.raises(LeagueRefused, match="'y' has no such open invitation"):
        invitations.accept(story.league, "y", InvitedTo(1), 0)


def test_the_latest_invitation_to_a_place_counts_from_the_next_round() -> None:
    story = Story()
    story.season("Spring", "abcdefg")
    for actor in "yz":
        story.adds(substitutes.substitute(story.league, "org", 0, "c", actor, 1, "Ill."))
    assert [each.actor for each in story.league.invitations.open] == ["z"]
    story.adds(*seasons.open_round(story.league, "org", story.at))
    story.adds(invitations.accept(story.league, "z", InvitedTo(1, 0, 2, 1), 0))

    place = story.league.seasons[0].groups[0].places[2]
    assert place.holders == (Holder("c"), Holder("z", 2, "Ill.", is_substitute=True))
    assert story.league.has_accepted("z", 1)


def test_an_older_record_of_an_invitation_opens_the_entry_as_before() -> None:
    stored = b'{"type":"league.player_invited","by":"org","actor":"a"}'
    fact: facts.Fact = msgspec.json.decode(stored, type=facts.Fact)
    story = registering(registration="invite")
    story.adds(fact)
    story.adds(seasons.enter(story.league, "a", "a", 0, is_organiser=False))

    assert msgspec.json.encode(fact) == stored
    assert [each.actor for each in story.league.seasons[0].entered] == ["a"]


def test_invited_players_may_enter_and_the_organiser_may_enter_others() -> None:
    story = Story(replace(PLAN, registration="invite"))
    story.adds(seasons.open_season(story.league, "org", "Spring"))
    story.adds(invitations.invite(story.league, "org", "a"))
    story.adds(seasons.enter(story.league, "a", "a", 0, is_organiser=False))
    story.adds(seasons.enter(story.league, "org", "b", 0, is_organiser=True))
    story.adds(invitations.accept(story.league, "b", InvitedTo(1), 0))
    story.adds(*seasons.leave(story.league, "b", "b"))
    story.adds(seasons.announce("org", " Hello. "))

    with pytest.raises(LeagueRefused, match="by invitation only"):
        seasons.enter(story.league, "c", "c", 0, is_organiser=False)
    with pytest.raises(LeagueRefused, match="a is already invited"):
        invitations.invite(story.league, "org", "a")
    assert [entry.actor for entry in story.league.seasons[0].entered] == ["a"]
    assert story.league.seasons[0].player_count == 1
    assert [notice.text for notice in story.league.notices] == ["Hello."]


def test_a_person_who_declined_a_place_is_not_invited_to_another_one_or_from_another_round() -> None:
    story = Story()
    story.season("Spring", "abcdefg")
    story.adds(substitutes.substitute(story.league, "org", 0, "c", "z", 1, "Ill."))
    story.adds(invitations.decline(story.league, "z", InvitedTo(1, 0, 2, 1)))

    for out, turn in (("c", 2), ("d", 1)):
        with pytest.raises(LeagueRefused, match="'z' has declined"):
            substitutes.substitute(story.league, "org", 0, out, "z", turn, "Ill.")
    with pytest.raises(LeagueRefused, match="'z' has declined"):
        invitations.invite(story.league, "org", "z")


def test_declining_a_season_leaves_the_next_one_open_but_declining_the_league_does_not() -> None:
    story = registering()
    story.adds(seasons.enter(story.league, "org", "y", 0, is_organiser=True))
    story.adds(invitations.invite(story.league, "org", "z"))
    story.adds(
        invitations.decline(story.league, "y", InvitedTo(1)), invitations.decline(story.league, "z", InvitedTo())
    )
    story.adds(facts.SeasonClosed("org"), facts.SeasonOpened("org", "Autumn"))

    assert seasons.enter(story.league, "org", "y", 0, is_organiser=True) == PlayerInvited("org", "y", InvitedTo(2))
    with pytest.raises(LeagueRefused, match="'z' has declined"):
        seasons.enter(story.league, "org", "z", 0, is_organiser=True)
    story.adds(seasons.enter(story.league, "z", "z", 0, is_organiser=False))
    assert require_new(story.league, PlayerInvited("org", "z")) == PlayerInvited("org", "z")


def test_a_player_who_did_not_leave_gets_the_own_place_back_without_an_invitation() -> None:
    story = Story()
    story.season("Spring", "abcdefg")
    story.substitutes("c", "z", 2)
    story.adds(*seasons.leave(story.league, "d", "d"), *seasons.leave(story.league, "org", "e", "Ill."))
    story.substitutes("d", "y", 2)
    story.substitutes("e", "x", 2)

    for out, own in (("z", "c"), ("x", "e")):
        back = substitutes.substitute(story.league, "org", 0, out, own, 3, "Well again.")
        assert isinstance(back, facts.SubstituteNamed)
        story.adds(back)
    invitation = substitutes.substitute(story.league, "org", 0, "y", "d", 3, "Well again.")
    assert isinstance(invitation, PlayerInvited), "who left by the own word is asked"
    story.adds(invitation)
    story.adds(invitations.accept(story.league, "d", invitation.to, 0))
    story.substitutes("d", "w", 4)
    assert isinstance(substitutes.substitute(story.league, "org", 0, "w", "d", 5, "So."), facts.SubstituteNamed)


def test_an_invitation_to_a_place_ends_with_the_last_round() -> None:
    story = Story()
    story.season("Spring", "abcdefg")
    story.adds(substitutes.substitute(story.league, "org", 0, "c", "z", 1, "Ill."))
    (invitation,) = story.league.invitations.open
    assert holds(story.league, invitation)
    story.opens_all()

    assert not holds(story.league, invitation)
