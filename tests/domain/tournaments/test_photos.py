"""Photos of tables: who adds them, who takes them away, and what stays on the record."""

from uuid import UUID

import pytest

from domain.tournaments import photos
from domain.tournaments.acts import act_kind, is_own_word
from domain.tournaments.errors import NoSuchPhoto, NoSuchRound, NotYourPhoto, TournamentRefused
from domain.tournaments.facts import TournamentEnded
from domain.tournaments.photographed import PhotoAdded, PhotoRemoved
from tests.domain.tournaments.building import AT, BY, Story
from tests.domain.tournaments.test_acts import act

DIGEST = "ab" * 32
OTHER = "cd" * 32


def hall() -> Story:
    """Two tables of two people with accounts: p1 and p2, p3 and p4."""
    return Story(4, size=2).set(("e1", "e2"), ("e3", "e4"))


def with_photo(by: str = "p1") -> tuple[Story, UUID]:
    story = hall()
    story.take(*photos.add(story.state, 1, 1, DIGEST, by, is_official=by == BY))
    return story, story.state.photos[0].id


def test_a_player_of_the_table_and_an_official_add_photos() -> None:
    story, _ = with_photo()
    story.take(*photos.add(story.state, 1, 2, OTHER, BY, is_official=True))
    told = [(each.round, each.table, each.by, each.at, each.digest) for each in story.state.photos]

    assert told == [(1, 1, "p1", AT, DIGEST), (1, 2, BY, AT, OTHER)]


def test_the_same_picture_sent_twice_is_one_photo_and_of_somebody_else_another() -> None:
    story, photo = with_photo()

    assert photos.add(story.state, 1, 1, DIGEST, "p1", is_official=False) == ()
    (other,) = photos.add(story.state, 1, 1, DIGEST, "p2", is_official=False)
    assert other.photo != photo


def test_whoever_sits_elsewhere_adds_none() -> None:
    story = hall()
    with pytest.raises(NotYourPhoto, match="photos of table 2 of round 1 come from who sits there"):
        photos.add(story.state, 1, 2, DIGEST, "p1", is_official=False)


@pytest.mark.parametrize("is_official", [True, False])
def test_there_is_none_of_a_table_that_nobody_sees(is_official: bool) -> None:
    story = hall()
    with pytest.raises(NoSuchRound, match="round 1 has no table 3"):
        photos.add(story.state, 1, 3, DIGEST, "p1", is_official=is_official)


def test_after_the_end_officials_alone_add_photos() -> None:
    story = hall().take(TournamentEnded(BY))

    assert photos.add(story.state, 1, 1, DIGEST, BY, is_official=True)
    with pytest.raises(NotYourPhoto, match="the event has ended"):
        photos.add(story.state, 1, 1, DIGEST, "p1", is_official=False)


def test_who_added_a_photo_takes_it_away_and_everybody_reads_that() -> None:
    story, photo = with_photo()
    before, fact = story.state, photos.remove(story.state, photo, "p1", "", is_official=False)
    told = act(story, fact)
    story.take(fact)

    assert fact == PhotoRemoved("p1", 1, 1, photo)
    assert told is not None
    assert (told.kind, told.by, told.round, told.table) == ("photo_removed", "p1", 1, 1)
    assert is_own_word(before, fact)
    assert story.state.photos == ()
    with pytest.raises(NoSuchPhoto, match="the event has no photo"):
        photos.remove(story.state, photo, "p1", "", is_official=False)


def test_an_official_takes_a_photo_away_with_a_reason() -> None:
    story, photo = with_photo()
    with pytest.raises(TournamentRefused, match="a photo that is taken away needs a reason"):
        photos.remove(story.state, photo, BY, " ", is_official=True)

    fact = photos.remove(story.state, photo, BY, "A face is on it.", is_official=True)

    assert fact.reason == "A face is on it."
    assert not is_own_word(story.state, fact)


def test_nobody_else_takes_it_away() -> None:
    story, photo = with_photo()
    with pytest.raises(NotYourPhoto, match="a photo is taken away by who added it"):
        photos.remove(story.state, photo, "p2", "So", is_official=False)


def test_a_photo_that_is_added_is_no_act_of_an_organiser() -> None:
    story = hall()
    (fact,) = photos.add(story.state, 1, 1, DIGEST, BY, is_official=True)

    assert isinstance(fact, PhotoAdded)
    assert act_kind(story.state, fact) is None
