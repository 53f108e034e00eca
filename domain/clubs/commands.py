"""Commands about clubs in the store, each one transaction."""

from collections.abc import Callable, Sequence
from datetime import datetime
from uuid import UUID

from domain.clubs import facts, membership
from domain.clubs.state import CLUB, Club
from domain.matches.errors import MatchExists
from domain.matches.facts import Actor
from domain.matches.log.records import Stream
from domain.matches.transaction import MatchWriter, Transaction

Decide = Callable[[Club], facts.Fact | Sequence[facts.Fact]]
ClubStream = Stream[Club]


def found_club(matches: MatchWriter, club_id: UUID, fact: facts.ClubFounded, *, at: datetime) -> ClubStream:
    """Found a club; the same request again returns the existing one.

    Raise `MatchExists` if another club has the id.
    """

    def compose(batch: Transaction) -> ClubStream:
        stream = batch.find(CLUB, club_id)
        if stream is None:
            return batch.record(CLUB, club_id, fact)
        if CLUB.read(matches.streams.records(club_id, 0, 1)[0]) != fact:
            raise MatchExists(f"the club id {club_id} is already in use")
        return stream

    return matches.transact(compose, at=at)


def change_club(
    matches: MatchWriter, club_id: UUID, decide: Decide, *, at: datetime, expected_version: int | None = None
) -> ClubStream:
    """Record the facts that `decide` returns, one or several; none, no change.

    Raise `StaleVersion` unless the club is at `expected_version`, and the errors of `decide`.
    """

    def compose(batch: Transaction) -> ClubStream:
        stream = batch.get(CLUB, club_id)
        decided = decide(stream.state)
        added = tuple(decided) if isinstance(decided, Sequence) else (decided,)
        return batch.record(CLUB, club_id, *added, expected_version=expected_version) if added else stream

    return matches.transact(compose, at=at)


def remove_person(matches: MatchWriter, club_id: UUID, person: Actor, *, at: datetime) -> ClubStream:
    """Remove an erased account from a club, in one transaction; idempotent."""
    return change_club(matches, club_id, lambda club: membership.depart(club, person), at=at)


def concerns(club: Club, person: Actor) -> bool:
    """Return whether erasing a person changes a club."""
    return bool(membership.depart(club, person))
