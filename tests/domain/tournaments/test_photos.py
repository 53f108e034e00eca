"""Photos of tables: permissions and records."""

from uuid import UUID

import pytest

from domain.tournaments import photos
from domain.tournaments.acts import act_kind, needs_no_role
from domain.tournaments.errors import NoSuchPhoto, NoSuchRound, NotYourPhoto, TournamentRefused
from domain.tournaments.facts import TournamentEnded
from domain.tournaments.photo_facts import PhotoAdded, PhotoRemoved
from tests.domain.tournaments.building import AT, BY, Story
from tests.domain.tournaments.test_acts import act

DIGEST = "ab" * 32
OTHER = "cd" * 32


def hall() -> Story:
    """Return two tables of two people with accounts: p1 and p2, p3 and p4."""
    return Story(4, size=2).set(("e1", "e2"), ("e3", "e4"))


def with_photo(by: str = "p1") -> tuple[Story, UUID]:
    story = hall()
    story.take(*photos.add(story.state, 1, 1, DIGEST, by, is_official=by == BY))
    return story, story.state.photos[0].id


def test_a_player_of_the_table_and_an_official_add_photos() -> None:
    story, _ = with_photo()
    story.take(*photos.add(story.state, 1, 2, OTHER, BY, is_official=True))
    stored = [(each.round, each.table, each.by, each.at, each.digest) for each in story.state.photos]

    assert stored == [(1, 1, "p1", AT, DIGEST), (1, 2, BY, AT, OTHER)]


def test_the_same_picture_is_one_photo_per_person() -> None:
    story, photo = with_photo()

    assert photos.add(story.state, 1, 1, DIGEST, "p1", is_official=False) == ()
    (other,) = photos.add(story.state, 1, 1, DIGEST, "p2", is_official=False)
    assert other.photo != photo


def test_players_of_other_tables_add_none() -> None:
    story = hall()
    with pytest.raises(NotYourPhoto, match="only players at table 2 of round 1 and officials can add photos of it"):
        photos.add(story.state, 1, 2, DIGEST, "p1", is_official=False)


@pytest.mark.parametrize("is_official", [True, False])
def test_tables_of_hidden_rounds_have_no_photos(is_official: bool) -> None:
    story = hall()
    with pytest.raises(NoSuchRound, match="round 1 has no table 3"):
        photos.add(story.state, 1, 3, DIGEST, "p1", is_official=is_official)


def test_after_the_end_only_officials_add_photos() -> None:
    story = hall().take(TournamentEnded(BY))

    assert photos.add(story.state, 1, 1, DIGEST, BY, is_official=True)
    with pytest.raises(NotYourPhoto, match="the event has ended"):
        photos.add(story.state, 1, 1, DIGEST, "p1", is_official=False)


def test_the_uploader_removes_a_photo_and_the_record_shows_it() -> None:
    story, photo = with_photo()
    before, fact = story.state, photos.remove(story.state, photo, "p1", "", is_official=False)
    record = act(story, fact)
    story.take(fact)

    assert fact == PhotoRemoved("p1", 1, 1, photo)
    assert record is not None
    assert (record.kind, record.by, record.round, record.table) == ("photo_removed", "p1", 1, 1)
    assert needs_no_role(before, fact)
    assert story.state.photos == ()
    with pytest.raises(NoSuchPhoto, match="the event has no photo"):
        photos.remove(story.state, photo, "p1", "", is_official=False)


def test_an_official_removes_a_photo_with_a_reason() -> None:
    story, photo = with_photo()
    with pytest.raises(TournamentRefused, match="the removal of a photo needs a reason"):
        photos.remove(story.state, photo, BY, " ", is_official=True)

    fact = photos.remove(story.state, photo, BY, "A face is on it.", is_official=True)

    assert fact.reason == "A face is on it."
    assert not needs_no_role(story.state, fact)


def test_no_one_else_removes_a_photo() -> None:
    story, photo = with_photo()
    with pytest.raises(NotYourPhoto, match="only the person who added a photo, or an official, can remove it"):
        photos.remove(story.state, photo, "p2", "So", is_official=False)


def test_adding_a_photo_is_no_act() -> None:
    story = hall()
    (fact,) = photos.add(story.state, 1, 1, DIGEST, BY, is_official=True)

    assert isinstance(fact, PhotoAdded)
    assert act_kind(story.state, fact) is None
