"""The chat store works alike in a file and on a server, and erases a person's data completely."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import pytest

from api.accounts.people import People
from api.talk.store import BOUNDARIES_MAX, TalkStore
from domain.matches.errors import NotAllowed
from domain.talk import NoSuchMessage, Room, SaidAlready
from tests.seeding import entropy

AT = datetime(2026, 1, 1, tzinfo=UTC)
ROOM = Room("players", UUID(int=7))
OTHER = Room("entrants", UUID(int=8))
EVENT = str(UUID(int=8))


@pytest.fixture(params=["file", "server"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    server: str = request.getfixturevalue("fresh_postgres") if request.param == "server" else ""
    return server or tmp_path / "people.db"


@pytest.fixture
def people(database: Path | str) -> Iterator[People]:
    with closing(People(database, entropy())) as people:
        yield people


@pytest.fixture
def talk(database: Path | str, people: People) -> Iterator[TalkStore]:
    del people
    with closing(TalkStore(database)) as talk:
        yield talk


def test_messages_are_stored_alike_in_a_file_and_on_a_server(people: People, talk: TalkStore) -> None:
    ann, ben = (people.create_guest(AT).id for _ in range(2))
    message_ids = [talk.add(ROOM, ann, f"message {number}", "", [], AT) for number in range(5)]
    last = talk.add(OTHER, ben, "@Ann", "", [ann], AT)
    with pytest.raises(SaidAlready):
        talk.add(ROOM, ann, "message 4", "", [], AT)
    again = talk.add(ROOM, ann, "message 4", "", [], AT + timedelta(minutes=2))

    page = talk.list_messages(ROOM, 2)
    assert [each.id for each in page.items] == [again.id, message_ids[4].id]
    assert [each.words for each in talk.list_messages(ROOM, 2, page.next).items] == ["message 3", "message 2"]
    assert [each.words for each in talk.load_context(message_ids[2], 1, 1)] == ["message 1", "message 2", "message 3"]
    assert [each.id for each in talk.list_all(OTHER)] == [last.id]
    assert [(each.person, each.by, each.room) for each in talk.mentions_after(0)] == [(ann, ben, OTHER)]
    assert talk.mentions_after(talk.mentions_after(0)[-1].number) == ()
    assert talk.list_writers(ROOM) == (ann,)
    with pytest.raises(NoSuchMessage):
        talk.find("0")


def test_reports_wait_until_they_are_answered(people: People, talk: TalkStore) -> None:
    ann, ben, eve = (people.create_guest(AT).id for _ in range(3))
    first, second = talk.add(OTHER, ann, "one", "", [], AT), talk.add(ROOM, ann, "two", "", [], AT)
    for person, at in ((ben, AT), (eve, AT + timedelta(1)), (ben, AT + timedelta(2))):
        talk.report(first, person, "so", EVENT, at)
    talk.report(second, ben, "", "", AT + timedelta(3))

    waiting = talk.open_reports(None, 10)
    assert [(each.message.id, each.person) for each in waiting] == [(first.id, ben), (first.id, eve), (second.id, ben)]
    assert [each.message.id for each in talk.open_reports([""], 10)] == [second.id]
    assert talk.open_reports([], 10) == ()
    talk.remove(first.id, AT)
    talk.close_reports(second.id, AT)

    assert talk.open_reports(None, 10) == ()
    assert (talk.find(first.id).words, talk.find(first.id).is_removed, talk.is_reported(first.id)) == ("", True, True)


def test_mutes_and_blocks_per_person_are_limited(people: People, talk: TalkStore) -> None:
    ann, last, *others = (people.create_guest(AT).id for _ in range(BOUNDARIES_MAX + 2))
    for other in others:
        talk.set_boundary(ann, other, "mute", AT)
    talk.set_boundary(ann, others[0], "block", AT)

    with pytest.raises(NotAllowed, match=f"at most {BOUNDARIES_MAX} people"):
        talk.set_boundary(ann, last, "block", AT)


def test_a_mute_can_become_a_block_and_be_lifted(people: People, talk: TalkStore) -> None:
    ann, ben = (people.create_guest(AT).id for _ in range(2))
    talk.set_boundary(ann, ben, "mute", AT)
    muted = people.find_blocked(ann, [ben])
    talk.set_boundary(ann, ben, "block", AT)

    assert (len(muted), *people.find_blocked(ann, [ben]), *people.blockers(ben, [ann])) == (0, ben, ann)
    assert people.find_blocked(ben, [ann]) | people.blockers(ann, [ben]) == frozenset()
    assert [each.kind for each in talk.boundaries(ann)] == ["block"]
    assert talk.muted_people(ann) == {ben}
    talk.lift_boundary(ann, ben)
    assert talk.muted_people(ann) == frozenset()


def test_erasing_a_person_leaves_no_data_in_the_file(tmp_path: Path) -> None:
    database = tmp_path / "people.db"
    with closing(People(database, entropy())) as people, closing(TalkStore(database)) as talk:
        ann, ben = (people.create_guest(AT).id for _ in range(2))
        message_id = talk.add(ROOM, ann, "something unspeakable", "", [ben], AT)
        talk.set_boundary(ben, ann, "block", AT)
        talk.report(message_id, ben, "unspeakable as well", "", AT)
        people.erase(ann)
        assert talk.muted_people(ben) == frozenset()

    content = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert [word for word in (b"unspeakable", ann.encode()) if word in content] == []
