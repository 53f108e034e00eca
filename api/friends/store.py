"""Whom people follow, in the store of people: it goes with a person who is erased. Friends follow each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple
from uuid import UUID

from api.accounts.store import Store
from api.http.app_state import AppKey
from domain.matches.errors import NotAllowed
from projections.platform.paging import LIMIT

FOLLOWED_MAX: Final = 1_000
"""So many people somebody follows; any number may follow one."""
CHALLENGES_MAX: Final = 20
"""So many challenges of one person wait at the same time."""
KEPT: Final = timedelta(days=7)
"""A challenge that nobody answers is forgotten."""
HERE: Final = timedelta(minutes=2)
"""Who was seen so short a time ago is here."""
SEEN_AGAIN: Final = timedelta(seconds=45)
"""So often it is written down that somebody is here."""


class Challenge(NamedTuple):
    match_id: UUID
    person: str
    other: str
    created: datetime


class FriendStore(Store):
    """Follows, who lets it be seen that they are here, and challenges."""

    def follow(self, person: str, other: str, at: datetime) -> None:
        with self._writing() as database:
            ((count,),) = database.rows("SELECT count(*) FROM follows WHERE person = ?", (person,))
            if count >= FOLLOWED_MAX:
                raise NotAllowed(f"nobody follows more than {FOLLOWED_MAX} people")
            sql = "INSERT INTO follows (person, other, created) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
            database.change(sql, (person, other, at.isoformat()))

    def unfollow(self, person: str, other: str) -> None:
        with self._writing() as database:
            database.change("DELETE FROM follows WHERE person = ? AND other = ?", (person, other))

    def follows(self, person: str, other: str) -> bool:
        return self._row("SELECT 1 FROM follows WHERE person = ? AND other = ?", person, other) is not None

    def followed(self, person: str) -> tuple[tuple[str, bool], ...]:
        """Whom somebody follows, the newest first, and whether they follow back."""
        sql = (
            "SELECT own.other, back.person IS NOT NULL FROM follows AS own"
            " LEFT JOIN follows AS back ON back.person = own.other AND back.other = own.person"
            " WHERE own.person = ? ORDER BY own.created DESC, own.other LIMIT ?"
        )
        return tuple((other, bool(back)) for other, back in self._rows(sql, person, FOLLOWED_MAX))

    def followers(self, person: str, limit: int = LIMIT, after: str = "") -> tuple[str, ...]:
        """Who follows somebody, by their ids, those after one."""
        sql = "SELECT person FROM follows WHERE other = ? AND person > ? ORDER BY person LIMIT ?"
        return tuple(row[0] for row in self._rows(sql, person, after, limit))

    def follower_count(self, person: str) -> int:
        return int(self._rows("SELECT count(*) FROM follows WHERE other = ?", person)[0][0])

    # Who is here

    def show(self, person: str, at: datetime) -> None:
        """From now on it may be seen whether somebody is here."""
        with self._writing() as database:
            sql = (
                "INSERT INTO visible (person, seen) VALUES (?, ?)"
                " ON CONFLICT (person) DO UPDATE SET seen = excluded.seen"
            )
            database.change(sql, (person, at.isoformat()))

    def hide(self, person: str) -> None:
        with self._writing() as database:
            database.change("DELETE FROM visible WHERE person = ?", (person,))

    def is_visible(self, person: str) -> bool:
        return self._row("SELECT 1 FROM visible WHERE person = ?", person) is not None

    def see(self, person: str, at: datetime) -> None:
        """Somebody is here; written down for those who want it, and not every time."""
        row = self._row("SELECT seen FROM visible WHERE person = ?", person)
        if row is not None and at - datetime.fromisoformat(row[0]) >= SEEN_AGAIN:
            with self._writing() as database:
                database.change("UPDATE visible SET seen = ? WHERE person = ?", (at.isoformat(), person))

    def here(self, people: Iterable[str], at: datetime) -> frozenset[str]:
        """Those of some people who are here and let it be seen."""
        wanted = sorted(set(people))
        if not wanted:
            return frozenset()
        places = ", ".join("?" for _ in wanted)
        sql = f"SELECT person FROM visible WHERE person IN ({places}) AND seen >= ?"  # noqa: S608  (places alone)
        return frozenset(row[0] for row in self._rows(sql, *wanted, (at - HERE).isoformat()))

    # Challenges

    def challenge(self, match_id: UUID, person: str, other: str, at: datetime) -> None:
        with self._writing() as database:
            since = (at - KEPT).isoformat()
            sql = "SELECT count(*) FROM challenges WHERE person = ? AND created >= ?"
            ((count,),) = database.rows(sql, (person, since))
            if count >= CHALLENGES_MAX:
                raise NotAllowed(f"{CHALLENGES_MAX} challenges of yours wait already")
            database.change("DELETE FROM challenges WHERE person = ? AND created < ?", (person, since))
            sql = "INSERT INTO challenges (match_id, person, other, created) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
            database.change(sql, (str(match_id), person, other, at.isoformat()))

    def challenges(self, person: str, at: datetime) -> tuple[Challenge, ...]:
        """Those to somebody and those by them, the newest first."""
        sql = (
            "SELECT match_id, person, other, created FROM challenges"
            " WHERE (person = ? OR other = ?) AND created >= ? ORDER BY created DESC, match_id LIMIT ?"
        )
        rows: Sequence[tuple[str, str, str, str]] = self._rows(sql, person, person, (at - KEPT).isoformat(), LIMIT)
        return tuple(Challenge(UUID(row[0]), row[1], row[2], datetime.fromisoformat(row[3])) for row in rows)

    def drop_challenge(self, match_id: UUID, person: str) -> None:
        """Somebody declines a challenge, or takes an own one back."""
        with self._writing() as database:
            sql = "DELETE FROM challenges WHERE match_id = ? AND (person = ? OR other = ?)"
            database.change(sql, (str(match_id), person, person))


FRIENDS: Final = AppKey[FriendStore]("friends")
