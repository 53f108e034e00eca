"""Notifications about records of clubs, and their recipients."""

from typing import Any

import pytest

from domain.clubs import facts, membership
from domain.notifications.records import RecordNotification, club_recipients, notification_of
from tests.domain.clubs.club_story import OWNER, Story


def news(what: str) -> RecordNotification:
    """Return a notification to Ann."""
    return RecordNotification("invitation", what, people=("ann",))


@pytest.mark.parametrize(
    ("fact", "expected"),
    [
        (facts.MemberInvited(OWNER, "ann"), news("club")),
        (facts.MembershipRequested("ann"), RecordNotification("invitation", "club_asked")),
        (facts.MemberJoined(OWNER, "ann"), news("club_joined")),
        (facts.MemberJoined("ann", "ann"), None),
        (facts.RequestDeclined(OWNER, "ann"), news("club_declined")),
        (facts.MemberRemoved(OWNER, "ann"), news("club_removed")),
        (facts.RoleGiven(OWNER, "ann", "organiser"), news("club_organiser")),
        (facts.RoleGiven(OWNER, "ann", "member"), None),
        (facts.ClubHandedOver(OWNER, "ann"), news("club_owner")),
        (facts.OwnerSucceeded("ann"), news("club_owner")),
        (facts.MemberLeft("ann", "ann"), None),
    ],
)
def test_notifications_of_records_of_clubs(fact: Any, expected: RecordNotification | None) -> None:
    assert notification_of(fact) == expected


def test_a_request_concerns_the_officers_while_it_is_open() -> None:
    story = Story("request", members="m", organisers="ba")
    fact = story.join("zoe")

    assert club_recipients(story.club, fact) == ("a", "b", OWNER)
    assert club_recipients(story.club, facts.MemberInvited(OWNER, "ann")) == ()
    story.take(membership.withdraw_request(story.club, "zoe"))
    assert club_recipients(story.club, fact) == ()
