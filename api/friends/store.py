"""Follows, presence and challenges, in the accounts database; erasing a person deletes theirs."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final, NamedTuple
from uuid import UUID

from sqlalchemy import and_, bindparam, delete, func, or_, select, update

from api.accounts.store import Store
from api.accounts.tables.friends import CHALLENGES, FOLLOWS, VISIBLE
from api.http.app_state import AppKey
from domain.matches.errors import NotAllowed
from projections.platform.paging import LIMIT
from projections.platform.statements import any_of, insert_new, upsert

OF_FOLLOWER: Final = FOLLOWS.c.person == bindparam("person")
IS_FOLLOWED: Final = and_(OF_FOLLOWER, FOLLOWS.c.other == bindparam("other"))
FOLLOW: Final = insert_new(FOLLOWS)
UNFOLLOW: Final = delete(FOLLOWS).where(IS_FOLLOWED)
FOLLOWS_OTHER: Final = select(FOLLOWS.c.person).where(IS_FOLLOWED)
COUNT_OTHERS: Final = select(func.count()).where(OF_FOLLOWER, FOLLOWS.c.other != bindparam("other"))
"""The number of other followed people, so that repeating a follow is possible at the limit."""
FOLLOWS_BACK: Final = FOLLOWS.alias()
FOLLOWED: Final = (
    select(FOLLOWS.c.other, FOLLOWS_BACK.c.person.is_not(None))
    .outerjoin_from(
        FOLLOWS, FOLLOWS_BACK, and_(FOLLOWS_BACK.c.person == FOLLOWS.c.other, FOLLOWS_BACK.c.other == FOLLOWS.c.person)
    )
    .where(OF_FOLLOWER)
    .order_by(FOLLOWS.c.created.desc(), FOLLOWS.c.other)
    .limit(bindparam("limit"))
)
FOLLOWERS: Final = (
    select(FOLLOWS.c.person)
    .where(FOLLOWS.c.other == bindparam("person"), FOLLOWS.c.person > bindparam("after"))
    .order_by(FOLLOWS.c.person)
    .limit(bindparam("limit"))
)
COUNT_FOLLOWERS: Final = select(func.count()).where(FOLLOWS.c.other == bindparam("person"))

IS_PERSON: Final = VISIBLE.c.person == bindparam("person")
SHOW: Final = upsert(VISIBLE)
HIDE: Final = delete(VISIBLE).where(IS_PERSON)
LAST_SEEN: Final = select(VISIBLE.c.seen).where(IS_PERSON)
SEE: Final = update(VISIBLE).where(IS_PERSON).values(seen=bindparam("seen"))
PRESENT: Final = select(VISIBLE.c.person).where(
    VISIBLE.c.person.in_(any_of("people")), VISIBLE.c.seen >= bindparam("since")
)

BY_CHALLENGER: Final = CHALLENGES.c.person == bindparam("person")
BY_OR_TO: Final = or_(BY_CHALLENGER, CHALLENGES.c.other == bindparam("person"))
IS_RECENT: Final = CHALLENGES.c.created >= bindparam("since")
COUNT_CHALLENGES: Final = select(func.count()).where(BY_CHALLENGER, IS_RECENT)
IS_ANOTHER: Final = or_(CHALLENGES.c.match_id != bindparam("match_id"), CHALLENGES.c.other != bindparam("other"))
COUNT_OTHER_CHALLENGES: Final = COUNT_CHALLENGES.where(IS_ANOTHER)
FORGET_CHALLENGES: Final = delete(CHALLENGES).where(BY_CHALLENGER, CHALLENGES.c.created < bindparam("since"))
ADD_CHALLENGE: Final = insert_new(CHALLENGES)
LIST_CHALLENGES: Final = (
    select(CHALLENGES.c.match_id, CHALLENGES.c.person, CHALLENGES.c.other, CHALLENGES.c.created)
    .where(BY_OR_TO, IS_RECENT)
    .order_by(CHALLENGES.c.created.desc(), CHALLENGES.c.match_id)
    .limit(bindparam("limit"))
)
DROP_CHALLENGE: Final = delete(CHALLENGES).where(CHALLENGES.c.match_id == bindparam("match_id"), BY_OR_TO)

FOLLOWED_MAX: Final = 1_000
"""Maximum number of people that a person follows; followers are unlimited."""
CHALLENGES_MAX: Final = 20
"""Maximum number of open challenges of a person."""
CHALLENGE_LIFETIME: Final = timedelta(days=7)
"""Lifetime of an unanswered challenge."""
PRESENT_FOR: Final = timedelta(minutes=2)
"""Time since the last request for which a person counts as present."""
PRESENCE_INTERVAL: Final = timedelta(seconds=45)
"""Minimum interval between two records of presence."""


class Challenge(NamedTuple):
    """A challenge to a table."""

    match_id: UUID
    person: str
    other: str
    created: datetime


class FriendStore(Store):
    """Follows, visible presence, and challenges."""

    def follow(self, person: str, other: str, at: datetime) -> None:
        """Follow a person; raise `NotAllowed` at `FOLLOWED_MAX`. Repeating changes nothing."""
        with self.transaction() as database:
            ((count,),) = database.rows(COUNT_OTHERS, person=person, other=other)
            if count >= FOLLOWED_MAX:
                raise NotAllowed(f"you can follow at most {FOLLOWED_MAX} people")
            database.change(FOLLOW, person=person, other=other, created=at.isoformat())

    def unfollow(self, person: str, other: str) -> None:
        """Stop following a person."""
        with self.transaction() as database:
            database.change(UNFOLLOW, person=person, other=other)

    def follows(self, person: str, other: str) -> bool:
        """Return whether `person` follows `other`."""
        return self.row(FOLLOWS_OTHER, person=person, other=other) is not None

    def list_followed(self, person: str) -> tuple[tuple[str, bool], ...]:
        """Return the followed people, latest first, and whether they follow back."""
        rows = self.rows(FOLLOWED, person=person, limit=FOLLOWED_MAX)
        return tuple((other, bool(follows_back)) for other, follows_back in rows)

    def followers(self, person: str, limit: int = LIMIT, after: str = "") -> tuple[str, ...]:
        """Return followers sorted by id, after the given one."""
        return tuple(row[0] for row in self.rows(FOLLOWERS, person=person, after=after, limit=limit))

    def follower_count(self, person: str) -> int:
        """Return the number of followers."""
        return int(self.rows(COUNT_FOLLOWERS, person=person)[0][0])

    def show_presence(self, person: str, at: datetime) -> None:
        """Make a person's presence visible."""
        with self.transaction() as database:
            database.change(SHOW, person=person, seen=at.isoformat())

    def hide_presence(self, person: str) -> None:
        """Hide a person's presence."""
        with self.transaction() as database:
            database.change(HIDE, person=person)

    def is_visible(self, person: str) -> bool:
        """Return whether a person's presence is visible."""
        return self.row(LAST_SEEN, person=person) is not None

    def record_presence(self, person: str, at: datetime) -> None:
        """Record the presence of a visible person, at most every `PRESENCE_INTERVAL`; hidden people are ignored."""
        row = self.row(LAST_SEEN, person=person)
        if row is not None and at - datetime.fromisoformat(row[0]) >= PRESENCE_INTERVAL:
            with self.transaction() as database:
                database.change(SEE, person=person, seen=at.isoformat())

    def find_present(self, people: Iterable[str], at: datetime) -> frozenset[str]:
        """Return the people who are visible and were seen within `PRESENT_FOR`."""
        ids = sorted(set(people))
        if not ids:
            return frozenset()
        return frozenset(row[0] for row in self.rows(PRESENT, people=ids, since=(at - PRESENT_FOR).isoformat()))

    def require_room(self, person: str, at: datetime) -> None:
        """Raise `NotAllowed` if the person has `CHALLENGES_MAX` open challenges."""
        ((count,),) = self.rows(COUNT_CHALLENGES, person=person, since=(at - CHALLENGE_LIFETIME).isoformat())
        check_count(count)

    def challenge(self, match_id: UUID, person: str, other: str, at: datetime) -> None:
        """Add a challenge unless known, delete the person's expired ones; raise `NotAllowed` at `CHALLENGES_MAX`."""
        with self.transaction() as database:
            since = (at - CHALLENGE_LIFETIME).isoformat()
            names = {"match_id": str(match_id), "person": person, "other": other}
            ((count,),) = database.rows(COUNT_OTHER_CHALLENGES, since=since, **names)
            check_count(count)
            database.change(FORGET_CHALLENGES, person=person, since=since)
            database.change(ADD_CHALLENGE, created=at.isoformat(), **names)

    def challenges(self, person: str, at: datetime) -> tuple[Challenge, ...]:
        """Return the challenges to and from a person, latest first."""
        rows = self.rows(LIST_CHALLENGES, person=person, since=(at - CHALLENGE_LIFETIME).isoformat(), limit=LIMIT)
        return tuple(Challenge(UUID(row[0]), row[1], row[2], datetime.fromisoformat(row[3])) for row in rows)

    def drop_challenge(self, match_id: UUID, person: str) -> None:
        """Delete a challenge to or from the person."""
        with self.transaction() as database:
            database.change(DROP_CHALLENGE, match_id=str(match_id), person=person)


def check_count(count: int) -> None:
    """Raise `NotAllowed` if a person with this number of open challenges may send no other."""
    if count >= CHALLENGES_MAX:
        raise NotAllowed(f"you already have {CHALLENGES_MAX} open challenges")


FRIENDS: Final = AppKey[FriendStore]("friends")
