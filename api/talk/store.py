"""Messages, mutes and blocks, and reports, in the accounts database; erasing a person deletes theirs."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, Literal, NamedTuple

from sqlalchemy import bindparam, delete, func, select, update

from api.accounts.store import Store
from api.accounts.tables.friends import CHALLENGES, FOLLOWS
from api.accounts.tables.talk import BOUNDARIES, MENTIONS, MESSAGES, REPORTS
from domain.matches.errors import NotAllowed
from domain.talk import NoSuchMessage, Room, SaidAlready, room_of
from projections.platform.database import Row
from projections.platform.paging import LIMIT, Page, end_of, page_of
from projections.platform.statements import any_of, insert_new, insert_row, upsert

ID_BYTES: Final = 8
BOUNDARIES_MAX: Final = 1_000
"""Maximum number of people that a person mutes or blocks."""
REPEAT_INTERVAL: Final = timedelta(seconds=60)
"""Minimum interval between identical messages of a person."""
Boundary = Literal["mute", "block"]

FIELDS: Final = (
    *(MESSAGES.c.rowid, MESSAGES.c.id, MESSAGES.c.room, MESSAGES.c.person),
    *(MESSAGES.c.words, MESSAGES.c.phrase, MESSAGES.c.created, MESSAGES.c.removed),
)
"""The columns for `message_of`."""
IN_ROOM: Final = MESSAGES.c.room == bindparam("room")
BY_PERSON: Final = MESSAGES.c.person == bindparam("person")
BEFORE: Final = MESSAGES.c.rowid < bindparam("end")
IN_ORDER: Final = select(*FIELDS).where(IN_ROOM).order_by(MESSAGES.c.rowid)
NEWEST_FIRST: Final = select(*FIELDS).order_by(MESSAGES.c.rowid.desc()).limit(bindparam("limit"))
SAID: Final = NEWEST_FIRST.where(IN_ROOM, BEFORE)
EARLIER: Final = NEWEST_FIRST.where(IN_ROOM, MESSAGES.c.rowid <= bindparam("number"))
LATER: Final = IN_ORDER.where(MESSAGES.c.rowid > bindparam("number")).limit(bindparam("limit"))
SAID_BY: Final = NEWEST_FIRST.where(BY_PERSON, MESSAGES.c.removed.is_(None), BEFORE)
LAST: Final = (
    select(MESSAGES.c.words, MESSAGES.c.phrase, MESSAGES.c.created)
    .where(IN_ROOM, BY_PERSON)
    .order_by(MESSAGES.c.rowid.desc())
    .limit(1)
)
FIND: Final = select(*FIELDS).where(MESSAGES.c.id == bindparam("id"))
VOICES: Final = select(MESSAGES.c.person).distinct().where(IN_ROOM)
ADD: Final = insert_row(MESSAGES, "id", "room", "person", "words", "phrase", "created")
REMOVE: Final = (
    update(MESSAGES)
    .where(MESSAGES.c.id == bindparam("id"), MESSAGES.c.removed.is_(None))
    .values(words="", phrase="", removed=bindparam("removed"))
)

MENTION: Final = insert_row(MENTIONS)
FORGET_MENTIONS: Final = delete(MENTIONS).where(MENTIONS.c.message == bindparam("id"))
MENTIONS_AFTER: Final = (
    select(
        *(MENTIONS.c.rowid, MENTIONS.c.person),
        *(MESSAGES.c.person, MESSAGES.c.id, MESSAGES.c.room, MESSAGES.c.created),
    )
    .join_from(MENTIONS, MESSAGES, MESSAGES.c.id == MENTIONS.c.message)
    .where(MENTIONS.c.rowid > bindparam("number"))
    .order_by(MENTIONS.c.rowid)
    .limit(bindparam("limit"))
)

OF_PERSON: Final = BOUNDARIES.c.person == bindparam("person")
COUNT_OTHERS: Final = select(func.count()).where(OF_PERSON, BOUNDARIES.c.other != bindparam("other"))
SET_BOUNDARY: Final = upsert(BOUNDARIES, kept=("created",))
LIFT: Final = delete(BOUNDARIES).where(OF_PERSON, BOUNDARIES.c.other == bindparam("other"))
LIMITS: Final = (
    select(BOUNDARIES.c.other, BOUNDARIES.c.kind, BOUNDARIES.c.created)
    .where(OF_PERSON)
    .order_by(BOUNDARIES.c.created.desc(), BOUNDARIES.c.other)
)
UNHEARD: Final = select(BOUNDARIES.c.other).where(OF_PERSON)
BLOCKERS: Final = select(BOUNDARIES.c.person).where(
    BOUNDARIES.c.other == bindparam("person"), BOUNDARIES.c.kind == "block"
)
UNFOLLOW: Final = delete(FOLLOWS).where(FOLLOWS.c.person == bindparam("person"), FOLLOWS.c.other == bindparam("other"))
DROP_CHALLENGES: Final = delete(CHALLENGES).where(
    CHALLENGES.c.person == bindparam("person"), CHALLENGES.c.other == bindparam("other")
)

OF_MESSAGE: Final = REPORTS.c.message == bindparam("message")
REPORT: Final = insert_new(REPORTS, "id", "message", "person", "reason", "event", "created")
REPORTED: Final = select(REPORTS.c.id).where(OF_MESSAGE)
REPORTS_BY: Final = (
    select(REPORTS.c.message, REPORTS.c.reason, REPORTS.c.created)
    .where(REPORTS.c.person == bindparam("person"))
    .order_by(REPORTS.c.created.desc(), REPORTS.c.id)
)
WAITING: Final = (
    select(REPORTS.c.id, REPORTS.c.person, REPORTS.c.reason, REPORTS.c.event, REPORTS.c.created, *FIELDS)
    .join_from(REPORTS, MESSAGES, MESSAGES.c.id == REPORTS.c.message)
    .where(REPORTS.c.answered.is_(None))
    .order_by(REPORTS.c.created, REPORTS.c.id)
    .limit(bindparam("limit"))
)
WAITING_IN: Final = WAITING.where(REPORTS.c.event.in_(any_of("events")))
ANSWER: Final = update(REPORTS).where(OF_MESSAGE, REPORTS.c.answered.is_(None)).values(answered=bindparam("answered"))


class Message(NamedTuple):
    """A message: text or a ready-made phrase; neither after its removal by an official."""

    number: int
    id: str
    room: Room
    person: str
    words: str
    phrase: str
    created: datetime
    is_removed: bool


class Mention(NamedTuple):
    """A mention of a person in a message."""

    number: int
    person: str
    by: str
    message: str
    room: Room
    created: datetime


class Report(NamedTuple):
    """A report of a message to the officials."""

    id: str
    message: Message
    person: str
    reason: str
    event: str
    created: datetime


class OwnReport(NamedTuple):
    """A report by a person."""

    message: str
    reason: str
    created: datetime


class PersonBoundary(NamedTuple):
    """A mute or block of a person."""

    other: str
    kind: Boundary
    created: datetime


def message_of(row: Row) -> Message:
    """Convert a row."""
    number, id, room, person, words, phrase, created, removed = row
    return Message(
        number, id, room_of(room), person, words, phrase, datetime.fromisoformat(created), removed is not None
    )


class TalkStore(Store):
    """Messages, mutes and blocks, and reports."""

    def add(self, room: Room, person: str, words: str, phrase: str, mentions: Sequence[str], at: datetime) -> Message:
        """Add a message; raise `SaidAlready` if the person just sent the same in the room."""
        id = secrets.token_hex(ID_BYTES)
        with self.transaction() as database:
            last = database.rows(LAST, room=room.key, person=person)
            if last and last[0][:2] == (words, phrase) and at - datetime.fromisoformat(last[0][2]) < REPEAT_INTERVAL:
                raise SaidAlready("you have just sent the same message")
            row = {"id": id, "room": room.key, "person": person, "words": words, "phrase": phrase}
            database.change(ADD, **row, created=at.isoformat())
            database.change_all(MENTION, ({"message": id, "person": each} for each in mentions))
            found = database.rows(FIND, id=id)
        return message_of(found[0])

    def list_messages(self, room: Room, limit: int = LIMIT, before: int | None = None) -> Page[Message]:
        """Return the messages of a room, latest first; removed ones are empty."""
        rows = self.rows(SAID, room=room.key, end=end_of(before), limit=limit + 1)
        page = page_of(rows, limit, lambda row: int(row[0]))
        return page.of([message_of(row) for row in page.items])

    def load_context(self, message: Message, before: int, after: int) -> tuple[Message, ...]:
        """Return a message with at most `before` earlier and `after` later ones, in order."""
        earlier = self.rows(EARLIER, room=message.room.key, number=message.number, limit=before + 1)
        later = self.rows(LATER, room=message.room.key, number=message.number, limit=after)
        return tuple(message_of(row) for row in (*reversed(earlier), *later))

    def list_all(self, room: Room) -> tuple[Message, ...]:
        """Return all messages of a room, in order."""
        return tuple(message_of(row) for row in self.rows(IN_ORDER, room=room.key))

    def find(self, message_id: str) -> Message:
        """Return the message with the id; raise `NoSuchMessage` if unknown."""
        row: Any = self.row(FIND, id=message_id)
        if row is None:
            raise NoSuchMessage(f"no message {message_id!r}")
        return message_of(row)

    def list_writers(self, room: Room) -> tuple[str, ...]:
        """Return all people with messages in a room."""
        return tuple(row[0] for row in self.rows(VOICES, room=room.key))

    def list_messages_of(self, person: str, limit: int = LIMIT, before: int | None = None) -> Page[Message]:
        """Return a person's messages in all rooms, latest first, without removed ones."""
        rows = self.rows(SAID_BY, person=person, end=end_of(before), limit=limit + 1)
        page = page_of(rows, limit, lambda row: int(row[0]))
        return page.of([message_of(row) for row in page.items])

    def remove(self, message_id: str, at: datetime) -> None:
        """Erase the text of a message permanently, keeping an empty entry, and close its reports.

        Nothing happens if it is unknown.
        """
        with self.transaction() as database:
            database.change(REMOVE, id=message_id, removed=at.isoformat())
            database.change(FORGET_MENTIONS, id=message_id)
            self._close_reports(database, message_id, at)

    def mentions_after(self, number: int, limit: int = LIMIT) -> tuple[Mention, ...]:
        """Return at most `limit` mentions after a number, in order."""
        rows = self.rows(MENTIONS_AFTER, number=number, limit=limit)
        return tuple(
            Mention(row[0], row[1], row[2], row[3], room_of(row[4]), datetime.fromisoformat(row[5])) for row in rows
        )

    def set_boundary(self, person: str, other: str, kind: Boundary, at: datetime) -> None:
        """Mute or block a person, in place of an earlier mute or block; raise `NotAllowed` above `BOUNDARIES_MAX`.

        A block also ends follows and challenges in both directions.
        """
        with self.transaction() as database:
            ((count,),) = database.rows(COUNT_OTHERS, person=person, other=other)
            if count >= BOUNDARIES_MAX:
                raise NotAllowed(f"you can mute or block at most {BOUNDARIES_MAX} people")
            database.change(SET_BOUNDARY, person=person, other=other, kind=kind, created=at.isoformat())
            for follower, followed in ((person, other), (other, person)) if kind == "block" else ():
                database.change(UNFOLLOW, person=follower, other=followed)
                database.change(DROP_CHALLENGES, person=follower, other=followed)

    def lift_boundary(self, person: str, other: str) -> None:
        """Lift a mute or block."""
        with self.transaction() as database:
            database.change(LIFT, person=person, other=other)

    def boundaries(self, person: str) -> tuple[PersonBoundary, ...]:
        """Return a person's mutes and blocks, latest first."""
        rows = self.rows(LIMITS, person=person)
        return tuple(PersonBoundary(row[0], row[1], datetime.fromisoformat(row[2])) for row in rows)

    def muted_people(self, person: str) -> frozenset[str]:
        """Return the people whom a person mutes or blocks."""
        return frozenset(row[0] for row in self.rows(UNHEARD, person=person))

    def blockers(self, person: str) -> frozenset[str]:
        """Return the people who block a person."""
        return frozenset(row[0] for row in self.rows(BLOCKERS, person=person))

    def report(self, message: Message, person: str, reason: str, event: str, at: datetime) -> None:
        """Report a message, once per person; a second report is ignored."""
        with self.transaction() as database:
            row = {"id": secrets.token_hex(ID_BYTES), "message": message.id, "person": person}
            database.change(REPORT, **row, reason=reason, event=event, created=at.isoformat())

    def is_reported(self, message_id: str) -> bool:
        """Return whether the message was reported, even if the report is closed."""
        return self.row(REPORTED, message=message_id) is not None

    def reports_by(self, person: str) -> tuple[OwnReport, ...]:
        """Return a person's reports, latest first."""
        rows = self.rows(REPORTS_BY, person=person)
        return tuple(OwnReport(message, reason, datetime.fromisoformat(created)) for message, reason, created in rows)

    def open_reports(self, events: Iterable[str] | None, limit: int) -> tuple[Report, ...]:
        """Return at most `limit` open reports, oldest first: of these events, or all."""
        if events is None:
            rows = self.rows(WAITING, limit=limit)
        else:
            rows = self.rows(WAITING_IN, events=tuple(events), limit=limit)
        return tuple(
            Report(row[0], message_of(row[5:]), row[1], row[2], row[3], datetime.fromisoformat(row[4])) for row in rows
        )

    def close_reports(self, message_id: str, at: datetime) -> None:
        """Close the reports of a message."""
        with self.transaction() as database:
            self._close_reports(database, message_id, at)

    def _close_reports(self, database: Any, message_id: str, at: datetime) -> None:
        database.change(ANSWER, message=message_id, answered=at.isoformat())
