"""The outbox: what people are to be told, a row for each fact, person, kind and way, in the erasable store of people.

A row is written once, however often its fact is taken up, and goes through three states: it waits, and is then sent or
dropped. Handing one over takes a lease; a process that dies meanwhile lets the lease run out, and the message is handed
over again under the same id, which is its Message-ID or Topic.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, Literal

import msgspec

from api.accounts.store import Store
from domain.matches.log.entries import microseconds
from domain.notifications.kinds import WAYS, Kind, Pace, Way
from projections.follow import MICROSECOND
from projections.platform.backoff import Backoff

MESSAGE_BYTES: Final = 16
LEASE: Final = timedelta(minutes=2)
"""Longer than a job hands over messages (`workers.notifications.handing`)."""
DIGEST_MAX: Final = 50
"""The most lines of one digest; the rest comes with the next."""
WAY_RESTS: Final = Backoff(2.0, 60.0)
"""Seconds for which nothing is handed over by a way whose server is away."""
ROW_RESTS: Final = Backoff(10.0, 3600.0)
"""The same for one message that its receiver does not take now."""
GIVEN_UP: Final = timedelta(days=3)
"""Who has not taken a message for so long is not sent it any more."""
KEPT: Final = timedelta(days=7)
"""So long a row stays after it was sent or dropped: the same fact would else be told again."""
POSITION: Final = "log"
"""The row of `outbox_ways` that says up to where the log was taken up."""

OutboxKind = Kind | Literal["confirm"]
"""Beside what people are told: the letter with which an address is confirmed."""
Outcome = Literal["sent", "later", "refused", "gone", "away", "unbegun"]
"""What became of a hand-over. `unbegun`: nothing was tried; `refused`: the receiver will never take it; `gone`: nor
anything else; `away`: the server of the way does not answer, or takes nothing from anybody."""


class OutboxRow(msgspec.Struct, frozen=True):
    """Somebody is to be told something by a way. `about` is the path of the page it is about, `what` which sentence of
    the kind is meant, `number` that of a round; `device`: which of their devices."""

    fact: str
    person: str
    kind: OutboxKind
    way: Way
    due: int
    about: str
    what: str = ""
    number: int = 0
    pace: Pace = "once"
    device: str = ""
    id: str = ""
    message: str = ""
    made: int = 0
    attempt: int = 0


class OutboxStanding(msgspec.Struct, frozen=True):
    """How many rows of a way wait although they are due, since when the oldest does, and until when the way rests."""

    way: Way
    waiting: int
    oldest: int
    rests_until: int


COLUMNS: Final = "fact, person, kind, way, due_us, about, what, number, pace, device, id, message, made_us, attempt"
ADD: Final = (
    "INSERT INTO outbox (id, fact, person, kind, way, device, what, about, number, pace, made_us, due_us, state,"
    " message, attempt, leased_us) SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'waiting', '', 0, 0"
    " WHERE EXISTS (SELECT 1 FROM people WHERE id = ?)"
    " ON CONFLICT (fact, person, kind, way, device) DO UPDATE SET due_us = excluded.due_us"
    " WHERE outbox.state = 'waiting' AND outbox.message = ''"
)
READY: Final = (
    f"SELECT {COLUMNS} FROM outbox WHERE state = 'waiting' AND way = ? AND due_us <= ? AND leased_us <= ?"  # noqa: S608
    " ORDER BY due_us, id LIMIT ?"
)
OF_DIGEST: Final = (
    f"SELECT {COLUMNS} FROM outbox WHERE person = ? AND way = ? AND pace = ? AND state = 'waiting'"  # noqa: S608
    " AND message = '' AND due_us <= ? ORDER BY due_us, id LIMIT ?"
)
OF_MESSAGE: Final = f"SELECT {COLUMNS} FROM outbox WHERE message = ? AND state = 'waiting' ORDER BY due_us, id"  # noqa: S608
BEGUN: Final = "INSERT INTO outbox_ways (way, position, failures, rests_us) VALUES (?, ?, 0, 0) ON CONFLICT DO NOTHING"
DUE: Final = "SELECT count(*), COALESCE(MIN(due_us), 0) FROM outbox WHERE state = 'waiting' AND way = ? AND due_us <= ?"
LEASED: Final = "UPDATE outbox SET message = ?, attempt = attempt + 1, leased_us = ? WHERE id = ?"


class Outbox(Store):
    """The rows, and how far the log was taken up into them."""

    # Taking up

    def begin(self, position: int) -> None:
        """What was in the log before anything was sent is told to nobody; a log that is shorter than what was taken up
        of it is another one, brought back from a copy."""
        with self._writing() as database:
            database.change_all(BEGUN, [(POSITION, position), *((way, 0) for way in WAYS)])
            sql = "UPDATE outbox_ways SET position = ? WHERE way = ? AND position > ?"
            database.change(sql, (position, POSITION, position))

    def position(self) -> int:
        """Up to where the log was taken up."""
        row = self._row("SELECT position FROM outbox_ways WHERE way = ?", POSITION)
        return 0 if row is None else int(row[0])

    def take_up(self, rows: Iterable[OutboxRow], position: int, position_to: int, at: datetime) -> bool:
        """Rows and position in one transaction; nothing where somebody else has taken the same up meanwhile."""
        with self._writing() as database:
            sql = "UPDATE outbox_ways SET position = ? WHERE way = ? AND position = ?"
            if not database.change(sql, (position_to, POSITION, position)):
                return False
            add(database, rows, at)
        return True

    def tell(self, rows: Iterable[OutboxRow], at: datetime) -> None:
        """What follows from no record of the log."""
        with self._writing() as database:
            add(database, rows, at)

    # Handing over

    def lease(self, way: Way, at: datetime, limit: int) -> tuple[tuple[OutboxRow, ...], ...]:
        """The next messages of a way, each with its rows: one, or all of a digest. They are the caller's for a time."""
        now, until = microseconds(at), microseconds(at + LEASE)
        found = list[tuple[OutboxRow, ...]]()
        if self._rests(way, now) or not self._rows(READY, way, now, now, 1):
            return ()
        with self._writing() as database:
            taken = set[str]()
            for row in [OutboxRow(*each) for each in database.rows(READY, (way, now, now, limit))]:
                if row.id in taken:
                    continue
                rows = self._of_one_message(database, row, now)
                message = rows[0].message or rows[0].id
                database.change_all(LEASED, [(message, until, each.id) for each in rows])
                taken |= {each.id for each in rows}
                found.append(tuple(msgspec.structs.replace(each, message=message) for each in rows))
        return tuple(found)

    @staticmethod
    def _of_one_message(database: Any, row: OutboxRow, now: int) -> list[OutboxRow]:
        if row.message:
            return [OutboxRow(*each) for each in database.rows(OF_MESSAGE, (row.message,))]
        if row.pace == "once":
            return [row]
        rows = database.rows(OF_DIGEST, (row.person, row.way, row.pace, now, DIGEST_MAX))
        return [OutboxRow(*each) for each in rows]

    def _rests(self, way: Way, now: int) -> bool:
        row = self._row("SELECT rests_us FROM outbox_ways WHERE way = ?", way)
        return row is not None and int(row[0]) > now

    def settle(self, message: str, way: Way, outcome: Outcome, at: datetime) -> None:
        """What became of a message that was leased. A second word about the same changes nothing."""
        now = microseconds(at)
        with self._writing() as database:
            rows = [OutboxRow(*each) for each in database.rows(OF_MESSAGE, (message,))]
            if outcome in {"away", "unbegun"}:
                free(database, message)
                if outcome == "away":
                    rest(database, way, now)
            elif outcome == "later" and rows and now - rows[0].made < GIVEN_UP // MICROSECOND:
                due = now + int(ROW_RESTS.delay(rows[0].attempt) * 1_000_000)
                sql = "UPDATE outbox SET due_us = ?, leased_us = 0 WHERE message = ? AND state = 'waiting'"
                database.change(sql, (due, message))
            else:
                finish(database, message, "sent" if outcome == "sent" else "dropped", now)
            if outcome == "sent":
                database.change("UPDATE outbox_ways SET failures = 0, rests_us = 0 WHERE way = ?", (way,))

    def drop(self, rows: Sequence[OutboxRow], at: datetime) -> None:
        """These are not told any more: they are no longer so."""
        with self._writing() as database:
            sql = "UPDATE outbox SET state = 'dropped', leased_us = ?, message = '' WHERE id = ? AND state = 'waiting'"
            database.change_all(sql, [(microseconds(at), row.id) for row in rows])

    def postpone(self, rows: Sequence[OutboxRow], due: int) -> None:
        """These are to be told later than was thought."""
        with self._writing() as database:
            sql = "UPDATE outbox SET due_us = ?, leased_us = 0, message = '' WHERE id = ? AND state = 'waiting'"
            database.change_all(sql, [(due, row.id) for row in rows])

    def of_message(self, message: str) -> OutboxRow | None:
        """The first row of a message that waits for what became of it."""
        row = self._row(OF_MESSAGE, message)
        return None if row is None else OutboxRow(*row)

    def letters_since(self, person: str, since: int) -> int:
        """How many letters of confirmation a person has had sent since a time, those that still wait included."""
        sql = "SELECT count(*) FROM outbox WHERE person = ? AND kind = 'confirm' AND made_us > ?"
        return int(self._rows(sql, person, since)[0][0])

    def is_settled(self, person: str, before: datetime) -> bool:
        """Return whether a person signed up before a time; guests never have."""
        sql = "SELECT 1 FROM people WHERE id = ? AND is_guest = 0 AND created < ?"
        return self._row(sql, person, before.isoformat()) is not None

    # What an operator sees, and what is forgotten

    def standings(self, at: datetime) -> tuple[OutboxStanding, ...]:
        now = microseconds(at)
        found = []
        for way in WAYS:
            ((count, oldest),) = self._rows(DUE, way, now)
            row = self._row("SELECT rests_us FROM outbox_ways WHERE way = ?", way)
            found.append(OutboxStanding(way, int(count), int(oldest), 0 if row is None else int(row[0])))
        return tuple(found)

    def forget(self, at: datetime) -> int:
        """Rows that were sent or dropped long enough ago; how many."""
        before = microseconds(at - KEPT)
        with self._writing() as database:
            return database.change("DELETE FROM outbox WHERE state <> 'waiting' AND leased_us < ?", (before,))


def add(database: Any, rows: Iterable[OutboxRow], at: datetime) -> None:
    """Each once. Of people who are gone meanwhile nothing is kept."""
    now = microseconds(at)
    for row in rows:
        what = (row.fact, row.person, row.kind, row.way, row.device, row.what, row.about, row.number, row.pace)
        database.change(ADD, (secrets.token_hex(MESSAGE_BYTES), *what, now, row.due, row.person))


def rest(database: Any, way: Way, now: int) -> None:
    """Nothing is handed over by the way for a while: the longer, the more often it was in vain. Whose word comes while
    it rests already says nothing new."""
    rows = database.rows("SELECT failures, rests_us FROM outbox_ways WHERE way = ?", (way,))
    if rows and rows[0][1] <= now:
        failures = int(rows[0][0]) + 1
        until = now + int(WAY_RESTS.delay(failures) * 1_000_000)
        database.change("UPDATE outbox_ways SET failures = ?, rests_us = ? WHERE way = ?", (failures, until, way))


def free(database: Any, message: str) -> None:
    """The message may be leased again at once; being in vain counts against the way, and not against it."""
    sql = "UPDATE outbox SET leased_us = 0, attempt = attempt - 1 WHERE message = ? AND state = 'waiting'"
    database.change(sql, (message,))


def finish(database: Any, message: str, state: str, now: int) -> None:
    """`leased_us` says from now on when that was."""
    sql = "UPDATE outbox SET state = ?, leased_us = ? WHERE message = ? AND state = 'waiting'"
    database.change(sql, (state, now, message))
