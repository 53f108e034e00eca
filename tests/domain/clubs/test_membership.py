"""People join a club by themselves, by a request or by an invitation, and leave it or are removed."""

from datetime import timedelta

import pytest

from domain.clubs import facts, membership
from domain.clubs.errors import ClubRefused, NotOfClub
from domain.clubs.facts import Admission
from domain.clubs.state import Member
from domain.kernel.values import replace
from domain.matches.errors import UnknownActor
from domain.matches.facts import SERVICE
from tests.domain.clubs.club_story import OWNER, START, Story


def test_a_founder_owns_the_club() -> None:
    club = Story().club

    assert (club.owner, club.standing(OWNER), club.organises(OWNER)) == (OWNER, "owner", True)
    assert (club.standing("ann"), club.organises("ann"), club.organisers) == ("", False, ())


def test_anyone_joins_an_open_club_at_once() -> None:
    story = Story("open")

    assert story.join("ann") == facts.MemberJoined("ann", "ann")
    assert story.club.standing("ann") == "member"
    with pytest.raises(ClubRefused, match="'ann' is already a member of this club"):
        story.join("ann")


@pytest.mark.parametrize(("accept", "standing"), [(True, "member"), (False, "")])
def test_an_organiser_answers_a_request(accept: bool, standing: str) -> None:
    story = Story("request", organisers="o")
    assert story.join("ann") == facts.MembershipRequested("ann")
    assert story.club.standing("ann") == "asked"
    with pytest.raises(ClubRefused, match="'ann' has already asked"):
        story.join("ann")
    with pytest.raises(NotOfClub, match="only organisers"):
        membership.answer_request(story.club, "ann", "ann", accept=True)
    story.take(membership.answer_request(story.club, "o", "ann", accept=accept))

    assert (story.club.standing("ann"), dict(story.club.requests)) == (standing, {})
    with pytest.raises(ClubRefused, match="'ann' has no open request"):
        membership.answer_request(story.club, "o", "ann", accept=True)


def test_a_declined_person_asks_again_after_a_month() -> None:
    story = Story("request")
    story.join("ann")
    story.take(membership.answer_request(story.club, OWNER, "ann", accept=False))
    declined_at = story.at

    with pytest.raises(ClubRefused, match="'ann' was declined; ask again 30 days after that"):
        membership.join(story.club, "ann", declined_at + timedelta(days=30) - timedelta(microseconds=1))
    story.take(membership.join(story.club, "ann", declined_at + timedelta(days=30)))
    story.take(membership.answer_request(story.club, OWNER, "ann", accept=True))
    assert dict(story.club.declined) == {}


def test_a_person_withdraws_the_own_request() -> None:
    story = Story("request")
    story.join("ann")
    story.take(membership.withdraw_request(story.club, "ann"))

    assert story.club.standing("ann") == ""
    with pytest.raises(ClubRefused, match="no open request"):
        membership.withdraw_request(story.club, "ann")


@pytest.mark.parametrize("admission", ["open", "request", "invitation"])
def test_an_invited_person_joins_whatever_the_admission(admission: Admission) -> None:
    story = Story(admission)
    story.take(membership.invite(story.club, OWNER, "ann"), membership.invite(story.club, OWNER, "ben"))
    assert story.club.standing("ann") == "invited"
    assert [(each.actor, each.fact.reason) for each in story.club.invitations.open] == [("ann", ""), ("ben", "")]
    story.take(membership.answer_invitation(story.club, "ann", accept=True))

    assert story.join("ben") == facts.MemberJoined("ben", "ben")
    assert [story.club.standing(person) for person in ("ann", "ben")] == ["member", "member"]
    assert story.club.invitations.open == ()


def test_a_club_by_invitation_takes_no_requests() -> None:
    with pytest.raises(ClubRefused, match="by invitation only"):
        Story("invitation").join("ann")


def test_an_invitation_accepts_a_request() -> None:
    story = Story("request")
    story.join("ann")

    assert membership.invite(story.club, OWNER, "ann") == facts.MemberJoined(OWNER, "ann")


def test_a_person_who_declined_is_not_invited_again() -> None:
    story = Story("request")
    story.take(membership.invite(story.club, OWNER, "ann"))
    with pytest.raises(ClubRefused, match="'ann' is already invited"):
        membership.invite(story.club, OWNER, "ann")
    story.take(membership.answer_invitation(story.club, "ann", accept=False))

    with pytest.raises(ClubRefused, match="'ann' has declined an invitation to this club"):
        membership.invite(story.club, OWNER, "ann")
    with pytest.raises(ClubRefused, match="no such open invitation to this club"):
        membership.answer_invitation(story.club, "ann", accept=True)
    assert story.join("ann") == facts.MembershipRequested("ann"), "the person may still ask"


def test_an_organiser_withdraws_an_invitation() -> None:
    story = Story("invitation", organisers="o")
    story.take(membership.invite(story.club, "o", "ann"))
    with pytest.raises(NotOfClub):
        membership.withdraw_invitation(story.club, "ann", "ann")
    story.take(membership.withdraw_invitation(story.club, OWNER, "ann"))

    with pytest.raises(ClubRefused, match="no such open invitation"):
        membership.withdraw_invitation(story.club, OWNER, "ann")
    with pytest.raises(ClubRefused, match="by invitation only"):
        story.join("ann")


def test_members_do_not_invite_and_are_not_invited() -> None:
    story = Story(members="ab")

    with pytest.raises(NotOfClub):
        membership.invite(story.club, "a", "c")
    with pytest.raises(ClubRefused, match="already a member"):
        membership.invite(story.club, OWNER, "a")
    with pytest.raises(UnknownActor):
        membership.invite(story.club, OWNER, "no person")


def test_a_member_leaves() -> None:
    story = Story(members="a")
    story.take(membership.leave(story.club, "a"))

    assert story.club.standing("a") == ""
    with pytest.raises(ClubRefused, match="'a' is not a member"):
        membership.leave(story.club, "a")
    assert story.join("a") == facts.MemberJoined("a", "a")


def test_a_removed_member_needs_an_invitation() -> None:
    story = Story("open", members="a", organisers="o")
    story.take(membership.remove(story.club, "o", "a", "Cheated."))

    assert story.club.standing("a") == "removed"
    with pytest.raises(ClubRefused, match="'a' was removed from this club and needs an invitation"):
        story.join("a")
    story.take(membership.invite(story.club, "o", "a"))
    story.take(membership.withdraw_invitation(story.club, "o", "a"))
    assert story.club.standing("a") == "removed"
    story.take(membership.invite(story.club, "o", "a"))
    story.join("a")
    story.take(membership.leave(story.club, "a"))
    assert story.join("a") == facts.MemberJoined("a", "a"), "the removal is forgotten"


def test_only_the_owner_removes_an_organiser_and_no_one_the_owner() -> None:
    story = Story(members="a", organisers="op")

    with pytest.raises(NotOfClub, match="only organisers"):
        membership.remove(story.club, "a", "o", "No.")
    with pytest.raises(NotOfClub, match="only the owner of the club can remove an organiser"):
        membership.remove(story.club, "o", "p", "No.")
    with pytest.raises(ClubRefused, match="leave the club instead"):
        membership.remove(story.club, "o", "o", "No.")
    with pytest.raises(ClubRefused, match="the owner of a club cannot be removed"):
        membership.remove(story.club, "x", OWNER, "No.", is_operator=True)
    with pytest.raises(ClubRefused, match="needs a reason"):
        membership.remove(story.club, OWNER, "a", " ")
    with pytest.raises(ClubRefused, match="'x' is not a member"):
        membership.remove(story.club, OWNER, "x", "No.")
    assert membership.remove(story.club, OWNER, "o", "Gone.") == facts.MemberRemoved(OWNER, "o")
    assert membership.remove(story.club, "x", "o", "Gone.", is_operator=True) == facts.MemberRemoved("x", "o")


def crowd(count: int) -> list[str]:
    """Return the ids of many people."""
    return [f"p{number}" for number in range(count)]


def test_members_requests_and_invitations_are_bounded() -> None:
    story = Story("request")
    story.join("b")
    story.take(membership.invite(story.club, OWNER, "c"))
    busy = replace(story.club, requests=dict.fromkeys(crowd(membership.REQUESTS_MAX), START))
    with pytest.raises(ClubRefused, match="at most 200 open requests"):
        membership.join(busy, "d", START)
    for person in crowd(membership.INVITED_MAX - 1):
        story.take(facts.MemberInvited(OWNER, person))
    with pytest.raises(ClubRefused, match="at most 200 open invitations"):
        membership.invite(story.club, OWNER, "d")

    others = dict.fromkeys(crowd(membership.MEMBERS_MAX - 1), Member("member", START))
    full = replace(story.club, members={**story.club.members, **others})
    for command in (
        lambda: membership.answer_request(full, OWNER, "b", accept=True),
        lambda: membership.answer_invitation(full, "c", accept=True),
        lambda: membership.join(full, "d", START),
    ):
        with pytest.raises(ClubRefused, match="at most 2000 members"):
            command()


def test_an_erased_account_vanishes() -> None:
    story = Story("request", members="a")
    story.join("b")
    story.take(membership.invite(story.club, OWNER, "c"))
    found = {person: membership.depart(story.club, person) for person in "abcd"}
    for departures in found.values():
        story.take(departures)

    assert found == {
        "a": (facts.MemberLeft(SERVICE, "a"),),
        "b": (facts.RequestWithdrawn(SERVICE, "b"),),
        "c": (facts.InvitationWithdrawn(SERVICE, "c"),),
        "d": (),
    }
    assert [story.club.standing(person) for person in "abcd"] == ["", "", "", ""]
    assert [membership.depart(story.club, person) for person in "abc"] == [(), (), ()]
