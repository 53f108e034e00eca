"""Commands about clubs in the store."""

from datetime import timedelta
from uuid import UUID

import pytest

from domain.clubs import facts, membership
from domain.clubs.commands import change_club, concerns, found_club, remove_person
from domain.clubs.errors import ClubRefused
from domain.clubs.state import CLUB
from domain.eventstore.application import Matches
from domain.matches.errors import MatchExists, NoSuchStream, StaleVersion
from tests.domain.clubs.club_story import ID, OWNER, START

FOUNDED = facts.ClubFounded(OWNER, "open")


def test_the_same_request_founds_a_club_once(matches: Matches) -> None:
    first = found_club(matches, ID, FOUNDED, at=START)

    assert found_club(matches, ID, FOUNDED, at=START + timedelta(days=1)) == first
    with pytest.raises(MatchExists):
        found_club(matches, ID, facts.ClubFounded("ann"), at=START)
    with pytest.raises(NoSuchStream):
        matches.streams.get(CLUB, UUID(int=9))


def test_a_change_appends_what_it_decides(matches: Matches) -> None:
    found_club(matches, ID, FOUNDED, at=START)
    stream = change_club(matches, ID, lambda club: membership.join(club, "ann", START), at=START)

    assert (stream.version, stream.state.standing("ann")) == (2, "member")
    assert change_club(matches, ID, lambda _: (), at=START).version == 2
    with pytest.raises(ClubRefused):
        change_club(matches, ID, lambda club: membership.join(club, "ann", START), at=START)
    with pytest.raises(StaleVersion):
        change_club(matches, ID, lambda club: membership.leave(club, "ann"), at=START, expected_version=1)


def test_an_erased_account_leaves_a_club_once(matches: Matches) -> None:
    found_club(matches, ID, FOUNDED, at=START)
    joined = change_club(matches, ID, lambda club: membership.join(club, "ann", START), at=START)

    assert (concerns(joined.state, "ann"), concerns(joined.state, "ben")) == (True, False)
    remove_person(matches, ID, "ann", at=START)
    left = remove_person(matches, ID, "ann", at=START)

    assert ("ann" in left.state.members, concerns(left.state, "ann"), left.version) == (False, False, 3)
