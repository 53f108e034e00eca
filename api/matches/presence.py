"""Presence at tables, from the live pages of all web processes; not stored.

Each process knows its own pages, sends changes to the others, and repeats its state periodically. This repairs lost
messages, and data from a dead process expires.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final, Literal, NamedTuple
from uuid import UUID

import msgspec

from api.http.app_state import AppKey
from api.http.notifier import ATTENDANCE_TOPIC, Notifier, Topic
from domain.matches.facts import Actor
from projections.platform.messages import Attended

EXPIRY_SECONDS: Final = 30.0
"""Seconds until data from another process expires."""
RESEND_SECONDS: Final = 10.0
GRACE_SECONDS: Final = 3.0
"""Seconds until a closed page counts as gone; long enough for a page change."""
TYPING_SECONDS: Final = 6.0
"""Seconds that a person counts as typing after a report; pages report every four seconds."""
NAMED_MAX: Final = 50
"""Maximum number of spectators listed by name; others are counted."""

Role = Literal["player", "named", "counted"]


class Visit(NamedTuple):
    """An open page of a table: the person, if known, and their role."""

    person: Actor
    role: Role


class Attendance(msgspec.Struct, frozen=True, omit_defaults=True):
    """Presence at a table: players, named spectators, the number of other spectators, and who is typing."""

    players: tuple[Actor, ...] = ()
    named: tuple[Actor, ...] = ()
    counted: int = 0
    typing: tuple[Actor, ...] = ()

    def union(self, added: Attendance) -> Attendance:
        """Return the union of both, sorted; the counts of other spectators are added."""
        return Attendance(
            tuple(sorted({*self.players, *added.players})),
            tuple(sorted({*self.named, *added.named})),
            self.counted + added.counted,
            tuple(sorted({*self.typing, *added.typing})),
        )


NO_ATTENDANCE: Final = Attendance()
DECODER: Final = msgspec.json.Decoder(Attendance)


def topic_of(match_id: UUID) -> Topic:
    """Return the topic of presence changes at a table."""
    return ATTENDANCE_TOPIC, str(match_id)


class Presence:
    """The presence known to this process. Use it on the event loop, except for `hear`."""

    def __init__(
        self, notifier: Notifier, grace_seconds: float = GRACE_SECONDS, lasts_seconds: float = EXPIRY_SECONDS
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self.notifier: Final = notifier
        self._publish: Callable[[Attended], None] | None = None
        self._grace_seconds = grace_seconds
        self._lasts_seconds = lasts_seconds
        self._visits = defaultdict[UUID, Counter[Visit]](Counter)
        self._typing = defaultdict[UUID, dict[Actor, float]](dict)
        self._remote_attendance = defaultdict[UUID, dict[str, tuple[float, Attendance]]](dict)

    def set_sender(self, publish: Callable[[Attended], None]) -> None:
        """Set the callback that sends changes to other processes."""
        self._publish = publish

    @contextmanager
    def visit(self, match_id: UUID, visit: Visit) -> Iterator[None]:
        """Count a visit during the block and a grace period after it; notify subscribers of changes."""
        before = self._own_at(match_id)
        self._visits[match_id][visit] += 1
        self._notify_changed(match_id, before)
        try:
            yield
        finally:
            self._loop.call_later(self._grace_seconds, self._leave, match_id, visit)

    def _leave(self, match_id: UUID, visit: Visit) -> None:
        """End a visit, and notify if the table's attendance changed."""
        before, visits = self._own_at(match_id), self._visits[match_id]
        visits[visit] -= 1
        if not visits[visit]:
            del visits[visit]
        self._notify_changed(match_id, before)
        if not visits:
            del self._visits[match_id]

    def mark_typing(self, match_id: UUID, person: Actor) -> None:
        """Mark a person as typing for `TYPING_SECONDS`, and notify if that changes the attendance."""
        before = self._own_at(match_id)
        self._typing[match_id][person] = self._loop.time() + TYPING_SECONDS
        self._notify_changed(match_id, before)
        self._loop.call_later(TYPING_SECONDS, self._stop_typing, match_id)

    def _stop_typing(self, match_id: UUID) -> None:
        """Remove people whose typing has expired, and notify if there were some."""
        now, typing = self._loop.time(), self._typing.pop(match_id, {})
        still_typing = {person: expires for person, expires in typing.items() if now < expires}
        if still_typing:
            self._typing[match_id] = still_typing
        if still_typing != typing:
            self._send(match_id)

    def of(self, match_id: UUID) -> Attendance:
        """Return everyone at a table, as this process and unexpired messages of other processes know it."""
        found, now = self._own_at(match_id), self._loop.time()
        for expires, attendance in self._remote_attendance.get(match_id, {}).values():
            found = found.union(attendance) if now < expires else found
        return found

    def _own_at(self, match_id: UUID) -> Attendance:
        """Return the attendance at a table in this process; beyond `NAMED_MAX`, named spectators are only counted.

        A counted person with several pages counts once.
        """
        visits, now = self._visits.get(match_id, Counter[Visit]()), self._loop.time()
        named_spectators = sorted({visit.person for visit in visits if visit.role == "named"})
        unnamed_count = sum(1 if visit.person else count for visit, count in visits.items() if visit.role == "counted")
        return Attendance(
            tuple(sorted({visit.person for visit in visits if visit.role == "player"})),
            tuple(named_spectators[:NAMED_MAX]),
            unnamed_count + len(named_spectators[NAMED_MAX:]),
            tuple(sorted(person for person, expires in self._typing.get(match_id, {}).items() if now < expires)),
        )

    @property
    def is_empty(self) -> bool:
        """Whether no one is known to be at any table."""
        return not self._visits and not self._remote_attendance

    def _notify_changed(self, match_id: UUID, before: Attendance) -> None:
        """Notify subscribers and other processes if the attendance here differs from `before`."""
        if self._own_at(match_id) != before:
            self._send(match_id)

    def _send(self, match_id: UUID) -> None:
        """Notify the table's subscribers, and send this process's attendance there to the others."""
        self.notifier.notify(topic_of(match_id))
        if self._publish is not None:
            self._publish(Attended({match_id: self._encode(match_id)}))

    def _encode(self, match_id: UUID) -> str:
        return msgspec.json.encode(self._own_at(match_id)).decode()

    def receive(self, message: Attended) -> None:
        """Take over the state of another process; safe to call from any thread."""
        self._loop.call_soon_threadsafe(self._receive, message.source, message.tables)

    def _receive(self, source: str, tables: Mapping[UUID, str]) -> None:
        """Store the attendance that another process sent, until it expires, and notify subscribers of these tables."""
        expires = self._loop.time() + self._lasts_seconds
        for match_id, encoded in tables.items():
            attendance = DECODER.decode(encoded)
            if attendance == NO_ATTENDANCE:
                self._remote_attendance[match_id].pop(source, None)
            else:
                self._remote_attendance[match_id][source] = expires, attendance
            if not self._remote_attendance[match_id]:
                del self._remote_attendance[match_id]
            self.notifier.notify(topic_of(match_id))

    def resend(self) -> None:
        """Send this process's whole attendance again, and drop expired data of others; notify if some was dropped."""
        if self._visits and self._publish is not None:
            self._publish(Attended({match_id: self._encode(match_id) for match_id in self._visits}))
        now = self._loop.time()
        for match_id, by_source in list(self._remote_attendance.items()):
            unexpired = {source: each for source, each in by_source.items() if now < each[0]}
            if len(unexpired) != len(by_source):
                self._remote_attendance[match_id] = unexpired
                self.notifier.notify(topic_of(match_id))
            if not unexpired:
                del self._remote_attendance[match_id]

    async def run(self) -> None:
        """Call `resend` every `RESEND_SECONDS` until cancelled."""
        while True:
            await asyncio.sleep(RESEND_SECONDS)
            self.resend()


PRESENCE: Final = AppKey[Presence]("presence")
