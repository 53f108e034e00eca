"""What people say, in the store of people: it goes with a person who is erased."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, Literal, NamedTuple

from api.accounts.store import Store
from domain.matches.errors import NotAllowed
from domain.talk import NoSuchMessage, Room, SaidAlready, room_of
from projections.platform.database import Row
from projections.platform.paging import LIMIT, Page, end_of, page_of

ID_BYTES: Final = 8
BOUNDARIES_MAX: Final = 1_000
"""The most people one person mutes or blocks."""
SAME_WITHIN: Final = timedelta(seconds=60)
"""The same words of one person follow each other no sooner."""
COLUMNS: Final = "rowid, id, room, person, words, phrase, created, removed"
Boundary = Literal["mute", "block"]


class Message(NamedTuple):
    """Something that was said: words or a ready sentence; without either where an official took it out."""

    number: int
    id: str
    room: Room
    person: str
    words: str
    phrase: str
    created: datetime
    is_removed: bool


class Mention(NamedTuple):
    """Somebody was named in a message."""

    number: int
    person: str
    by: str
    message: str
    room: Room
    created: datetime


class Report(NamedTuple):
    """A message that somebody wants the officials to look at."""

    id: str
    message: Message
    person: str
    reason: str
    event: str
    created: datetime


class OwnReport(NamedTuple):
    """What somebody has reported themselves."""

    message: str
    reason: str
    created: datetime


class Limit(NamedTuple):
    """Somebody whom a person does not want to hear."""

    other: str
    kind: Boundary
    created: datetime


def message_of(row: Row) -> Message:
    number, id, room, person, words, phrase, created, removed = row
    return Message(
        number, id, room_of(room), person, words, phrase, datetime.fromisoformat(created), removed is not None
    )


class TalkStore(Store):
    """Messages, boundaries and reports."""

    # Messages

    def add(self, room: Room, person: str, words: str, phrase: str, mentions: Sequence[str], at: datetime) -> Message:
        """Something is said; refused where the same person has just said the same there."""
        id = secrets.token_hex(ID_BYTES)
        with self._writing() as database:
            sql = (
                "SELECT words, phrase, created FROM messages WHERE room = ? AND person = ? ORDER BY rowid DESC LIMIT 1"
            )
            last = database.rows(sql, (room.key, person))
            if last and last[0][:2] == (words, phrase) and at - datetime.fromisoformat(last[0][2]) < SAME_WITHIN:
                raise SaidAlready("you have just said the same")
            sql = "INSERT INTO messages (id, room, person, words, phrase, created) VALUES (?, ?, ?, ?, ?, ?)"
            database.change(sql, (id, room.key, person, words, phrase, at.isoformat()))
            sql = "INSERT INTO mentions (message, person) VALUES (?, ?)"
            database.change_all(sql, ((id, each) for each in mentions))
            found = database.rows(f"SELECT {COLUMNS} FROM messages WHERE id = ?", (id,))  # noqa: S608  (names of ours)
        return message_of(found[0])

    def said(self, room: Room, limit: int = LIMIT, before: int | None = None) -> Page[Message]:
        """What was said in a room, the newest first."""
        sql = f"SELECT {COLUMNS} FROM messages WHERE room = ? AND rowid < ? ORDER BY rowid DESC LIMIT ?"  # noqa: S608
        page = page_of(self._rows(sql, room.key, end_of(before), limit + 1), limit, lambda row: int(row[0]))
        return page.of([message_of(row) for row in page.items])

    def around(self, message: Message, before: int, after: int) -> tuple[Message, ...]:
        """A message among those before and after it."""
        sql = f"SELECT {COLUMNS} FROM messages WHERE room = ? AND rowid <= ? ORDER BY rowid DESC LIMIT ?"  # noqa: S608
        earlier = self._rows(sql, message.room.key, message.number, before + 1)
        sql = f"SELECT {COLUMNS} FROM messages WHERE room = ? AND rowid > ? ORDER BY rowid LIMIT ?"  # noqa: S608
        later = self._rows(sql, message.room.key, message.number, after)
        return tuple(message_of(row) for row in (*reversed(earlier), *later))

    def whole(self, room: Room) -> tuple[Message, ...]:
        """All that was said in a room, in order."""
        sql = f"SELECT {COLUMNS} FROM messages WHERE room = ? ORDER BY rowid"  # noqa: S608
        return tuple(message_of(row) for row in self._rows(sql, room.key))

    def find(self, message_id: str) -> Message:
        row: Any = self._row(f"SELECT {COLUMNS} FROM messages WHERE id = ?", message_id)  # noqa: S608
        if row is None:
            raise NoSuchMessage(f"there is no message {message_id!r}")
        return message_of(row)

    def voices(self, room: Room) -> tuple[str, ...]:
        """Everybody who has said something in a room."""
        return tuple(row[0] for row in self._rows("SELECT DISTINCT person FROM messages WHERE room = ?", room.key))

    def said_by(self, person: str, limit: int = LIMIT, before: int | None = None) -> Page[Message]:
        """What somebody has said anywhere, the newest first, without what an official has taken out."""
        sql = (
            f"SELECT {COLUMNS} FROM messages WHERE person = ? AND removed IS NULL AND rowid < ?"  # noqa: S608
            " ORDER BY rowid DESC LIMIT ?"
        )
        page = page_of(self._rows(sql, person, end_of(before), limit + 1), limit, lambda row: int(row[0]))
        return page.of([message_of(row) for row in page.items])

    def remove(self, message_id: str, at: datetime) -> None:
        """What it said is gone for good; that something was there stays. Reports of it are answered."""
        with self._writing() as database:
            sql = "UPDATE messages SET words = '', phrase = '', removed = ? WHERE id = ? AND removed IS NULL"
            database.change(sql, (at.isoformat(), message_id))
            database.change("DELETE FROM mentions WHERE message = ?", (message_id,))
            self._answer(database, message_id, at)

    # Mentions

    def mentions_after(self, number: int, limit: int = LIMIT) -> tuple[Mention, ...]:
        """Whom messages have named since, in order; for who tells them."""
        sql = (
            "SELECT mentions.rowid, mentions.person, messages.person, messages.id, messages.room, messages.created"
            " FROM mentions JOIN messages ON messages.id = mentions.message"
            " WHERE mentions.rowid > ? ORDER BY mentions.rowid LIMIT ?"
        )
        rows = self._rows(sql, number, limit)
        return tuple(
            Mention(row[0], row[1], row[2], row[3], room_of(row[4]), datetime.fromisoformat(row[5])) for row in rows
        )

    # Boundaries

    def set_boundary(self, person: str, other: str, kind: Boundary, at: datetime) -> None:
        """The person no longer hears the other; a block keeps the other away as well, and ends that one follows the
        other."""
        with self._writing() as database:
            ((count,),) = database.rows(
                "SELECT count(*) FROM boundaries WHERE person = ? AND other <> ?", (person, other)
            )
            if count >= BOUNDARIES_MAX:
                raise NotAllowed(f"nobody mutes or blocks more than {BOUNDARIES_MAX} people")
            sql = (
                "INSERT INTO boundaries (person, other, kind, created) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (person, other) DO UPDATE SET kind = excluded.kind"
            )
            database.change(sql, (person, other, kind, at.isoformat()))
            for one, two in ((person, other), (other, person)) if kind == "block" else ():
                database.change("DELETE FROM follows WHERE person = ? AND other = ?", (one, two))
                database.change("DELETE FROM challenges WHERE person = ? AND other = ?", (one, two))

    def lift_boundary(self, person: str, other: str) -> None:
        with self._writing() as database:
            database.change("DELETE FROM boundaries WHERE person = ? AND other = ?", (person, other))

    def boundaries(self, person: str) -> tuple[Limit, ...]:
        """Whom a person does not want to hear, the newest first."""
        sql = "SELECT other, kind, created FROM boundaries WHERE person = ? ORDER BY created DESC, other"
        return tuple(Limit(row[0], row[1], datetime.fromisoformat(row[2])) for row in self._rows(sql, person))

    def unheard(self, person: str) -> frozenset[str]:
        """Whose messages a person does not see."""
        return frozenset(row[0] for row in self._rows("SELECT other FROM boundaries WHERE person = ?", person))

    def blockers(self, person: str) -> frozenset[str]:
        """Who keeps the person away."""
        sql = "SELECT person FROM boundaries WHERE other = ? AND kind = 'block'"
        return frozenset(row[0] for row in self._rows(sql, person))

    # Reports

    def report(self, message: Message, person: str, reason: str, event: str, at: datetime) -> None:
        """The officials of the event are to look at a message; once by each person."""
        with self._writing() as database:
            sql = (
                "INSERT INTO reports (id, message, person, reason, event, created) VALUES (?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (message, person) DO NOTHING"
            )
            row = (secrets.token_hex(ID_BYTES), message.id, person, reason, event, at.isoformat())
            database.change(sql, row)

    def is_reported(self, message_id: str) -> bool:
        """Whether somebody has reported the message, answered or not."""
        return self._row("SELECT 1 FROM reports WHERE message = ?", message_id) is not None

    def reports_by(self, person: str) -> tuple[OwnReport, ...]:
        """What somebody has reported, the newest first."""
        sql = "SELECT message, reason, created FROM reports WHERE person = ? ORDER BY created DESC, id"
        rows = self._rows(sql, person)
        return tuple(OwnReport(message, reason, datetime.fromisoformat(created)) for message, reason, created in rows)

    def waiting(self, events: Iterable[str] | None, limit: int) -> tuple[Report, ...]:
        """Reports that nobody has answered, the oldest first: of these events, or all."""
        wanted = None if events is None else tuple(events)
        if wanted == ():
            return ()
        places = "" if wanted is None else f" AND event IN ({', '.join('?' for _ in wanted)})"
        sql = (
            f"SELECT reports.id, reports.person, reason, event, reports.created, {qualified()}"  # noqa: S608
            " FROM reports JOIN messages ON messages.id = reports.message"
            f" WHERE answered IS NULL{places} ORDER BY reports.created, reports.id LIMIT ?"
        )
        rows = self._rows(sql, *(wanted or ()), limit)
        return tuple(
            Report(row[0], message_of(row[5:]), row[1], row[2], row[3], datetime.fromisoformat(row[4])) for row in rows
        )

    def answer(self, message_id: str, at: datetime) -> None:
        """The officials have looked at what was reported of a message."""
        with self._writing() as database:
            self._answer(database, message_id, at)

    def _answer(self, database: Any, message_id: str, at: datetime) -> None:
        sql = "UPDATE reports SET answered = ? WHERE message = ? AND answered IS NULL"
        database.change(sql, (at.isoformat(), message_id))


def qualified() -> str:
    """The columns of a message where another table stands beside it."""
    return ", ".join(f"messages.{column}" for column in COLUMNS.split(", "))
