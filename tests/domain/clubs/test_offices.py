"""A club has one owner, who gives roles and hands it over; when the owner is gone, an organiser succeeds."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.clubs import event_list, facts, membership, offices
from domain.clubs.errors import ClubRefused, NotOfClub
from domain.clubs.state import ClubEvent
from domain.kernel.values import replace
from domain.matches.facts import SERVICE
from tests.domain.clubs.club_story import EVENT, OWNER, START, Story
from tests.seeding import example_count


def test_the_owner_gives_roles() -> None:
    story = Story(members="ab")
    story.take(offices.give_role(story.club, OWNER, "a", "organiser"))

    assert story.club.standing("a") == "organiser"
    assert offices.give_role(story.club, OWNER, "a", "organiser") == ()
    story.take(offices.give_role(story.club, OWNER, "a", "member"))
    assert story.club.organisers == ()
    with pytest.raises(NotOfClub, match="only the owner"):
        offices.give_role(story.club, "a", "b", "organiser")
    with pytest.raises(ClubRefused, match="'x' is not a member"):
        offices.give_role(story.club, OWNER, "x", "organiser")
    with pytest.raises(ClubRefused, match="keeps that role until a handover"):
        offices.give_role(story.club, OWNER, OWNER, "member")


def test_the_owner_hands_the_club_over_and_becomes_an_organiser() -> None:
    story = Story(members="a")
    with pytest.raises(ClubRefused, match="already the owner"):
        offices.hand_over(story.club, OWNER, OWNER)
    with pytest.raises(NotOfClub):
        offices.hand_over(story.club, "a", "a")
    story.take(offices.hand_over(story.club, OWNER, "a"))

    assert (story.club.owner, story.club.organisers) == ("a", (OWNER,))
    story.take(offices.hand_over(story.club, "operator", OWNER, is_operator=True))
    assert (story.club.owner, story.club.organisers) == (OWNER, ("a",))


@pytest.mark.parametrize("is_erased", [False, True])
def test_the_organiser_with_the_longest_service_succeeds_an_owner_who_is_gone(is_erased: bool) -> None:
    story = Story(members="abc", organisers="de")
    story.take(
        offices.give_role(story.club, OWNER, "d", "member"), offices.give_role(story.club, OWNER, "c", "organiser")
    )
    story.take(offices.give_role(story.club, OWNER, "d", "organiser"))
    leaving = membership.depart(story.club, OWNER) if is_erased else membership.leave(story.club, OWNER)
    story.take(leaving)

    assert leaving[1:] == (facts.OwnerSucceeded("e"),)
    assert (story.club.owner, story.club.organisers, story.club.standing(OWNER)) == ("e", ("c", "d"), "")


@pytest.mark.parametrize("is_erased", [False, True])
def test_a_club_without_an_organiser_is_closed_when_the_owner_is_gone(is_erased: bool) -> None:
    story = Story("request", members="a")
    story.join("b")
    story.take(membership.invite(story.club, OWNER, "c"))
    leaving = membership.depart(story.club, OWNER) if is_erased else membership.leave(story.club, OWNER)
    story.take(leaving)

    assert leaving[1:] == (facts.ClubClosed(SERVICE),)
    assert (story.club.is_open, story.club.owner, dict(story.club.requests)) == (False, "", {})
    assert story.club.invitations.open == ()
    assert membership.depart(story.club, "a") == (facts.MemberLeft(SERVICE, "a"),)
    assert membership.depart(story.club, "b") == ()


def test_nothing_happens_in_a_closed_club() -> None:
    story = Story(members="ab")
    with pytest.raises(NotOfClub):
        offices.close(story.club, "a")
    story.take(offices.close(story.club, OWNER))

    for command in (
        lambda: offices.close(story.club, OWNER),
        lambda: offices.give_role(story.club, OWNER, "a", "organiser"),
        lambda: offices.hand_over(story.club, OWNER, "a"),
        lambda: offices.change(story.club, OWNER, "open"),
        lambda: membership.join(story.club, "c", story.at),
        lambda: membership.leave(story.club, "a"),
        lambda: membership.invite(story.club, OWNER, "c"),
        lambda: membership.remove(story.club, OWNER, "a", "No."),
        lambda: event_list.add_event(story.club, OWNER, EVENT, "league"),
    ):
        with pytest.raises(ClubRefused, match="the club is closed"):
            command()


def test_an_operator_changes_and_closes_any_club() -> None:
    story = Story("open", members="a")
    story.take(offices.close(story.club, "operator", is_operator=True))

    assert offices.change(story.club, "operator", "open", is_operator=True) == facts.ClubChanged("operator", "open")


def test_an_organiser_changes_the_admission() -> None:
    story = Story("open", members="a", organisers="o")
    story.take(offices.change(story.club, "o", "invitation"))

    assert story.club.admission == "invitation"
    with pytest.raises(NotOfClub):
        offices.change(story.club, "a", "open")


def test_organisers_list_the_events_of_the_club() -> None:
    story = Story(members="a", organisers="o")
    story.take(event_list.add_event(story.club, "o", EVENT, "league"))

    listed = story.club.events[str(EVENT)]
    assert (listed.kind, listed.by, listed.since) == ("league", "o", story.at)
    with pytest.raises(ClubRefused, match="already in the list"):
        event_list.add_event(story.club, "o", EVENT, "league")
    with pytest.raises(NotOfClub):
        event_list.add_event(story.club, "a", EVENT, "league")
    with pytest.raises(NotOfClub):
        event_list.remove_event(story.club, "a", EVENT, organises_event=False)
    story.take(event_list.remove_event(story.club, "a", EVENT, organises_event=True))
    assert dict(story.club.events) == {}
    with pytest.raises(ClubRefused, match="is not in the list"):
        event_list.remove_event(story.club, "o", EVENT, organises_event=False)
    many = {str(number): ClubEvent("league", OWNER, START) for number in range(event_list.EVENTS_MAX)}
    with pytest.raises(ClubRefused, match="lists at most 2000 events"):
        event_list.add_event(replace(story.club, events=many), "o", EVENT, "tournament")


PEOPLE = (OWNER, "a", "b", "c")
COMMANDS = (
    lambda club, by, _: membership.join(club, by, START),
    lambda club, by, person: membership.answer_request(club, by, person, accept=True),
    membership.invite,
    lambda club, by, _: membership.answer_invitation(club, by, accept=True),
    lambda club, by, _: membership.leave(club, by),
    lambda club, by, person: membership.remove(club, by, person, "No."),
    lambda club, by, person: offices.give_role(club, by, person, "organiser"),
    offices.hand_over,
    lambda club, _, person: membership.depart(club, person),
)
STEPS = st.tuples(st.sampled_from(COMMANDS), st.sampled_from(PEOPLE), st.sampled_from(PEOPLE))


@settings(max_examples=example_count(100))
@given(st.lists(STEPS, min_size=1, max_size=40))
def test_an_open_club_has_one_owner_and_a_person_one_standing(steps: list[tuple[Any, str, str]]) -> None:
    story = Story("request")
    for command, by, person in steps:
        try:
            story.take(command(story.club, by, person))
        except (ClubRefused, NotOfClub):
            continue
        owners = [each for each, member in story.club.members.items() if member.role == "owner"]
        assert owners == ([story.club.owner] if story.club.is_open else [])
        invited = {each.actor for each in story.club.invitations.open}
        assert not (story.club.members.keys() & (story.club.requests.keys() | invited | story.club.removed))
