"""Commands about clubs in the store."""

from datetime import timedelta
from uuid import UUID

import pytest

from domain.clubs import facts, membership
from domain.clubs.commands import KnownClubs, change_club, find_clubs_of, found_club, remove_person
from domain.clubs.errors import ClubRefused
from domain.clubs.state import CLUB
from domain.eventstore.application import Matches
from domain.matches.errors import MatchExists, NoSuchStream, StaleVersion
from tests.domain.clubs.club_story import ID, OWNER, START
from tests.domain.matches.match_helpers import start_match

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


def test_the_clubs_of_an_erased_account_are_found_in_the_log(matches: Matches) -> None:
    clubs = [UUID(int=number) for number in range(1, 5)]
    for club in clubs:
        found_club(matches, club, FOUNDED, at=START)
    start_match(matches, UUID(int=77), ("ann", "ben"))
    for club in clubs[1:3]:
        change_club(matches, club, lambda club: membership.join(club, "ann", START), at=START)
    ((position, _),) = matches.read_log_items(0, 1)

    assert find_clubs_of(matches, "ann", KnownClubs(0, ())) == (clubs[1], clubs[2])
    assert find_clubs_of(matches, "ann", KnownClubs(position, (clubs[1], clubs[3]))) == (clubs[1], clubs[2])
    for club in clubs:
        remove_person(matches, club, "ann", at=START)
        remove_person(matches, club, "ann", at=START)
    assert find_clubs_of(matches, "ann", KnownClubs(0, tuple(clubs))) == ()
    assert "ann" not in matches.streams.get(CLUB, clubs[1]).state.members
