"""The outbox: one row per fact, person, kind and channel, in the accounts database.

Rows are unique, so processing a fact twice adds nothing. A row waits, and is then sent or dropped. Delivery takes a
lease; if the process dies, the lease expires and the message is delivered again with the same id (Message-ID or Topic).
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, Literal

import msgspec
from sqlalchemy import and_, bindparam, delete, func, insert, literal, select, update

from api.accounts.store import Store
from api.accounts.tables.accounts import PEOPLE
from api.accounts.tables.notifications import OUTBOX, OUTBOX_WAYS
from domain.matches.log.entries import microseconds
from domain.notifications.kinds import CHANNELS, Channel, Frequency, Kind
from projections.follow import MICROSECOND
from projections.platform.backoff import Backoff
from projections.platform.statements import insert_new, replace_where

MESSAGE_BYTES: Final = 16
LEASE: Final = timedelta(minutes=2)
"""Longer than a delivery job runs (`workers.notifications.delivery`)."""
DIGEST_MAX: Final = 50
"""Maximum number of lines in a digest; the rest follows in the next."""
CHANNEL_BACKOFF: Final = Backoff(2.0, 60.0)
"""Backoff of a channel whose server is unavailable."""
ROW_BACKOFF: Final = Backoff(10.0, 3600.0)
"""Backoff of a message that its recipient temporarily rejects."""
UNDELIVERED_FOR: Final = timedelta(days=3)
"""Age at which an undelivered message is dropped."""
RETENTION: Final = timedelta(days=7)
"""Retention of sent and dropped rows, which prevents duplicates."""
POSITION: Final = "log"
"""Row of `outbox_ways` with the log position of the consumer."""

OutboxKind = Kind | Literal["confirm"]
"""Kinds of notifications, and the letter that confirms an address."""
Outcome = Literal["sent", "later", "refused", "gone", "away", "unbegun"]
"""Result of a delivery.

`unbegun`: not attempted; `refused`: rejected permanently; `gone`: the recipient no longer exists; `away`: the server is
unavailable or rejects everything.
"""


class OutboxRow(msgspec.Struct, frozen=True):
    """A notification of a person by a channel.

    `about` is the path of its page, `what` selects the sentence of the kind, `number` is a round, `device` a push
    device.
    """

    fact: str
    person: str
    kind: OutboxKind
    way: Channel
    due: int
    about: str
    what: str = ""
    number: int = 0
    pace: Frequency = "once"
    device: str = ""
    id: str = ""
    message: str = ""
    made: int = 0
    attempt: int = 0


class ChannelState(msgspec.Struct, frozen=True):
    """Due rows of a channel: number, time of the oldest, and end of the channel's backoff."""

    way: Channel
    waiting: int
    oldest: int
    rests_until: int


COLUMNS: Final = OUTBOX.c
WAITS: Final = COLUMNS.state == "waiting"
IS_UNSENT: Final = and_(WAITS, COLUMNS.message == "")
OF_WAY: Final = COLUMNS.way == bindparam("way")
IS_DUE: Final = COLUMNS.due_us <= bindparam("now")
IN_MESSAGE: Final = and_(COLUMNS.message == bindparam("message"), WAITS)
IS_ROW: Final = and_(COLUMNS.id == bindparam("id"), WAITS)

NEW: Final = (
    *("id", "fact", "person", "kind", "way", "device", "what", "about"),
    *("number", "pace", "made_us", "due_us", "state", "message", "attempt", "leased_us"),
)
SAME: Final = ("fact", "person", "kind", "way", "device")
CONSTANT: Final = {"state": "waiting", "message": "", "attempt": 0, "leased_us": 0}
ADD: Final = (
    insert(OUTBOX)
    .from_select(
        NEW,
        select(
            *(
                literal(CONSTANT[name], COLUMNS[name].type)
                if name in CONSTANT
                else bindparam(name, type_=COLUMNS[name].type)
                for name in NEW
            )
        ).where(select(PEOPLE.c.id).where(PEOPLE.c.id == bindparam("person")).exists()),
    )
    .ext(replace_where(OUTBOX, SAME, "due_us", IS_UNSENT))
)
ROWS: Final = select(
    *(COLUMNS.fact, COLUMNS.person, COLUMNS.kind, COLUMNS.way, COLUMNS.due_us, COLUMNS.about, COLUMNS.what),
    *(COLUMNS.number, COLUMNS.pace, COLUMNS.device, COLUMNS.id, COLUMNS.message, COLUMNS.made_us, COLUMNS.attempt),
).order_by(COLUMNS.due_us, COLUMNS.id)
"""The fields of `OutboxRow`."""
READY: Final = ROWS.where(WAITS, OF_WAY, IS_DUE, COLUMNS.leased_us <= bindparam("now")).limit(bindparam("limit"))
OF_DIGEST: Final = ROWS.where(
    COLUMNS.person == bindparam("person"), OF_WAY, COLUMNS.pace == bindparam("pace"), IS_UNSENT, IS_DUE
).limit(bindparam("limit"))
OF_MESSAGE: Final = ROWS.where(IN_MESSAGE)
DUE: Final = select(func.count(), func.coalesce(func.min(COLUMNS.due_us), 0)).where(WAITS, OF_WAY, IS_DUE)
COUNT_LETTERS: Final = select(func.count()).where(
    COLUMNS.person == bindparam("person"), COLUMNS.kind == "confirm", COLUMNS.made_us > bindparam("since")
)
LEASED: Final = (
    update(OUTBOX)
    .where(COLUMNS.id == bindparam("id"))
    .values(message=bindparam("message"), attempt=COLUMNS.attempt + 1, leased_us=bindparam("leased_us"))
)
DELAY: Final = update(OUTBOX).where(IN_MESSAGE).values(due_us=bindparam("due"), leased_us=0)
FREE: Final = update(OUTBOX).where(IN_MESSAGE).values(leased_us=0, attempt=COLUMNS.attempt - 1)
FINISH: Final = update(OUTBOX).where(IN_MESSAGE).values(state=bindparam("state"), leased_us=bindparam("now"))
DROP: Final = update(OUTBOX).where(IS_ROW).values(state="dropped", leased_us=bindparam("now"), message="")
POSTPONE: Final = update(OUTBOX).where(IS_ROW).values(due_us=bindparam("due"), leased_us=0, message="")
FORGET: Final = delete(OUTBOX).where(COLUMNS.state != "waiting", COLUMNS.leased_us < bindparam("before"))
SIGNED_UP_BEFORE: Final = select(PEOPLE.c.id).where(
    PEOPLE.c.id == bindparam("person"), PEOPLE.c.is_guest == 0, PEOPLE.c.created < bindparam("before")
)

IS_WAY: Final = OUTBOX_WAYS.c.way == bindparam("way")
ADD_CHANNEL: Final = insert_new(OUTBOX_WAYS)
READ_POSITION: Final = select(OUTBOX_WAYS.c.position).where(IS_WAY)
RESTS: Final = select(OUTBOX_WAYS.c.failures, OUTBOX_WAYS.c.rests_us).where(IS_WAY)
MOVE: Final = (
    update(OUTBOX_WAYS)
    .where(IS_WAY, OUTBOX_WAYS.c.position == bindparam("position"))
    .values(position=bindparam("position_to"))
)
SHORTEN: Final = (
    update(OUTBOX_WAYS)
    .where(IS_WAY, OUTBOX_WAYS.c.position > bindparam("position"))
    .values(position=bindparam("position"))
)
REST: Final = update(OUTBOX_WAYS).where(IS_WAY).values(failures=bindparam("failures"), rests_us=bindparam("until"))


class Outbox(Store):
    """The rows and the log position of the consumer."""

    def set_first_position(self, position: int) -> None:
        """Set the initial log position, so that older events send nothing; one already set stays.

        A log shorter than the position was restored from a backup, and lowers it.
        """
        with self.transaction() as database:
            positions: dict[str, int] = {POSITION: position, **dict.fromkeys(CHANNELS, 0)}
            rows = [{"way": way, "position": each, "failures": 0, "rests_us": 0} for way, each in positions.items()]
            database.change_all(ADD_CHANNEL, rows)
            database.change(SHORTEN, way=POSITION, position=position)

    def position(self) -> int:
        """Return the log position of the consumer."""
        row = self.row(READ_POSITION, way=POSITION)
        return 0 if row is None else int(row[0])

    def add_and_advance(self, rows: Iterable[OutboxRow], position: int, position_to: int, at: datetime) -> bool:
        """Add rows and advance the position in one transaction; return False, adding nothing, if another one did."""
        with self.transaction() as database:
            if not database.change(MOVE, way=POSITION, position=position, position_to=position_to):
                return False
            add(database, rows, at)
        return True

    def add_rows(self, rows: Iterable[OutboxRow], at: datetime) -> None:
        """Add rows that follow from no record of the log."""
        with self.transaction() as database:
            add(database, rows, at)

    def lease(self, channel: Channel, at: datetime, limit: int) -> tuple[tuple[OutboxRow, ...], ...]:
        """Lease the next messages of a channel, each with its rows: one, or a whole digest; none while it backs off.

        Rows without a message get one, and may be leased again after `LEASE`.
        """
        now, leased_until = microseconds(at), microseconds(at + LEASE)
        found = list[tuple[OutboxRow, ...]]()
        if self._backoff_end(channel, now) or not self.rows(READY, way=channel, now=now, limit=1):
            return ()
        with self.transaction() as database:
            leased_ids = set[str]()
            for row in [OutboxRow(*each) for each in database.rows(READY, way=channel, now=now, limit=limit)]:
                if row.id in leased_ids:
                    continue
                rows = self._of_one_message(database, row, now)
                message = rows[0].message or rows[0].id
                lease = {"message": message, "leased_us": leased_until}
                database.change_all(LEASED, [{"id": each.id, **lease} for each in rows])
                leased_ids |= {each.id for each in rows}
                found.append(tuple(msgspec.structs.replace(each, message=message) for each in rows))
        return tuple(found)

    @staticmethod
    def _of_one_message(database: Any, row: OutboxRow, now: int) -> list[OutboxRow]:
        """Return the rows to send with this one: of its message, itself, or at most `DIGEST_MAX` of its digest."""
        if row.message:
            return [OutboxRow(*each) for each in database.rows(OF_MESSAGE, message=row.message)]
        if row.pace == "once":
            return [row]
        digest = {"person": row.person, "way": row.way, "pace": row.pace}
        return [OutboxRow(*each) for each in database.rows(OF_DIGEST, **digest, now=now, limit=DIGEST_MAX)]

    def _backoff_end(self, channel: Channel, now: int) -> bool:
        row = self.row(RESTS, way=channel)
        return row is not None and int(row[1]) > now

    def settle(self, message: str, channel: Channel, outcome: Outcome, at: datetime) -> None:
        """Record the result of a delivery; a second result of the same message changes nothing.

        After "away" and "unbegun" the message is free again, and "away" also backs off the channel. "later" delays it,
        up to `UNDELIVERED_FOR` in all. "sent" finishes it and ends the backoff, any other result drops it.
        """
        now = microseconds(at)
        with self.transaction() as database:
            rows = [OutboxRow(*each) for each in database.rows(OF_MESSAGE, message=message)]
            if outcome in {"away", "unbegun"}:
                release_lease(database, message)
                if outcome == "away":
                    back_off(database, channel, now)
            elif outcome == "later" and rows and now - rows[0].made < UNDELIVERED_FOR // MICROSECOND:
                due = now + int(ROW_BACKOFF.delay(rows[0].attempt) * 1_000_000)
                database.change(DELAY, message=message, due=due)
            else:
                finish(database, message, "sent" if outcome == "sent" else "dropped", now)
            if outcome == "sent":
                database.change(REST, way=channel, failures=0, until=0)

    def drop(self, rows: Sequence[OutboxRow], at: datetime) -> None:
        """Drop outdated rows."""
        with self.transaction() as database:
            database.change_all(DROP, [{"id": row.id, "now": microseconds(at)} for row in rows])

    def postpone(self, rows: Sequence[OutboxRow], due: int) -> None:
        """Postpone rows."""
        with self.transaction() as database:
            database.change_all(POSTPONE, [{"id": row.id, "due": due} for row in rows])

    def find_first_row(self, message: str) -> OutboxRow | None:
        """Return the first row of a message in delivery; None if unknown."""
        row = self.row(OF_MESSAGE, message=message)
        return None if row is None else OutboxRow(*row)

    def count_letters(self, person: str, since: int) -> int:
        """Return the number of confirmation letters to a person since a time, including waiting ones."""
        return int(self.rows(COUNT_LETTERS, person=person, since=since)[0][0])

    def has_signed_up(self, person: str, before: datetime) -> bool:
        """Return whether a person signed up before a time; guests never have."""
        return self.row(SIGNED_UP_BEFORE, person=person, before=before.isoformat()) is not None

    def channel_states(self, at: datetime) -> tuple[ChannelState, ...]:
        """Return the state of each channel: number of due messages, time of the oldest, and until when it backs off."""
        now = microseconds(at)
        found = []
        for channel in CHANNELS:
            ((count, oldest),) = self.rows(DUE, way=channel, now=now)
            row = self.row(RESTS, way=channel)
            found.append(ChannelState(channel, int(count), int(oldest), 0 if row is None else int(row[1])))
        return tuple(found)

    def delete_old(self, at: datetime) -> int:
        """Delete sent and dropped rows older than `RETENTION`, and return their number."""
        before = microseconds(at - RETENTION)
        with self.transaction() as database:
            return database.change(FORGET, before=before)


def add(database: Any, rows: Iterable[OutboxRow], at: datetime) -> None:
    """Add rows, inside a transaction; rows of deleted people are skipped, known unsent ones get the new due time."""
    now = microseconds(at)
    for row in rows:
        fields = {name: getattr(row, name) for name in (*SAME, "what", "about", "number", "pace")}
        database.change(ADD, id=secrets.token_hex(MESSAGE_BYTES), **fields, made_us=now, due_us=row.due)


def back_off(database: Any, channel: Channel, now: int) -> None:
    """Start or extend the backoff of a channel; ignored while it already backs off."""
    rows = database.rows(RESTS, way=channel)
    if rows and rows[0][1] <= now:
        failures = int(rows[0][0]) + 1
        until = now + int(CHANNEL_BACKOFF.delay(failures) * 1_000_000)
        database.change(REST, way=channel, failures=failures, until=until)


def release_lease(database: Any, message: str) -> None:
    """Release the lease of a message without counting the attempt."""
    database.change(FREE, message=message)


def finish(database: Any, message: str, state: str, now: int) -> None:
    """Mark a message as sent or dropped; `leased_us` then holds the time."""
    database.change(FINISH, message=message, state=state, now=now)
