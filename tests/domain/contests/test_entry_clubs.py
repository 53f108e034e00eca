"""The club of an entry: from the memberships of its person, in tournaments and leagues alike."""

from collections.abc import Callable
from datetime import UTC, datetime
from uuid import UUID

import pytest

from domain.clubs.state import Club, Member
from domain.contests.conditions import ClubSeen, Entrant, EntryConditions
from domain.contests.entry_clubs import choose_club, club_key, is_member
from domain.contests.entry_errors import NotOfClubs
from domain.kernel.values import replace
from domain.tournaments import registration
from domain.tournaments.preparation import entrants
from tests.domain.contests.entering import ORGANISER, SUBJECTS, Entering
from tests.domain.tournaments.building import BY, Story

Open = Callable[[EntryConditions | None], Entering]
FIRST, SECOND, OTHER = (UUID(int=number) for number in (1, 2, 3))
AT = datetime(2027, 1, 1, tzinfo=UTC)
IN_TWO = Entrant(
    clubs=(ClubSeen(FIRST, "Palma", True), ClubSeen(SECOND, "Serra", True), ClubSeen(OTHER, "Port", False))
)
both = pytest.mark.parametrize("open_contest", SUBJECTS)


@pytest.mark.parametrize(
    ("clubs", "wanted", "chosen"),
    [((), None, FIRST), ((), SECOND, SECOND), ((OTHER, SECOND), None, SECOND), ((SECOND,), FIRST, FIRST)],
)
@both
def test_an_entry_has_the_wanted_club_or_one_of_the_conditions_or_the_first(
    open_contest: Open, clubs: tuple[UUID, ...], wanted: UUID | None, chosen: UUID
) -> None:
    contest = open_contest(EntryConditions(clubs=clubs) if clubs else None)
    contest.enter("ann", IN_TWO, club_id=wanted)

    assert contest.club_of("ann") == chosen


@both
def test_a_club_of_others_is_refused_and_people_without_a_club_have_none(open_contest: Open) -> None:
    contest = open_contest(None)
    with pytest.raises(NotOfClubs, match="you are not a member of Port"):
        contest.enter("ann", IN_TWO, club_id=OTHER)
    contest.enter("ben", Entrant())

    assert contest.club_of("ben") is None


@both
def test_an_accepted_invitation_takes_the_club_of_its_person(open_contest: Open) -> None:
    contest = open_contest(None)
    contest.enter("ann", IN_TWO, by=ORGANISER)
    contest.accept("ann", IN_TWO)

    assert contest.club_of("ann") == FIRST


def test_bots_and_names_have_no_club() -> None:
    assert choose_club(EntryConditions(clubs=(FIRST,)), None) is None
    with pytest.raises(NotOfClubs, match=str(FIRST)):
        choose_club(None, None, FIRST)


def test_members_of_open_clubs_belong_to_them() -> None:
    club = Club(id=FIRST, founded_at=AT, admission="open", members={"ann": Member("owner", AT)})

    assert is_member(club, "ann")
    assert not is_member(club, "ben")
    assert not is_member(replace(club, closed_at=AT), "ann")


def test_the_pairing_keeps_members_of_one_club_apart_by_its_id_and_others_by_the_word() -> None:
    story = Story()
    for actor, entrant in (("ann", IN_TWO), ("ben", IN_TWO)):
        story.take(registration.enter(story.state, actor, actor=actor, entrant=entrant, club="Brno"))
    for name, word in (("Cleo", "Palma"), ("Dora", "PALMA"), ("Emma", "")):
        story.take(registration.enter(story.state, BY, name=name, club=word))
    people = tuple(entry.id for entry in story.state.entries)

    paired = entrants(story.state, {}, 0, people)

    assert [each.club for each in paired] == [str(FIRST), str(FIRST), "palma", "palma", ""]
    assert club_key(None, " Palma ") == club_key(None, "palma")
