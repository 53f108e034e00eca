"""Commands about clubs in the store, each one transaction."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from domain.clubs import facts, membership
from domain.clubs.state import CLUB, Club
from domain.kernel.values import Value
from domain.matches.errors import MatchExists
from domain.matches.facts import Actor
from domain.matches.log.records import Record, Stream
from domain.matches.transaction import MatchReader, MatchWriter, Transaction

BATCH: Final = 1_000
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


class KnownClubs(Value, frozen=True):
    """The clubs to which a person belongs, or has a request or an invitation, up to a log position."""

    position: int
    club_ids: tuple[UUID, ...]


def find_clubs_of(matches: MatchReader, person: Actor, known: KnownClubs) -> tuple[UUID, ...]:
    """Return the clubs to which a person has a relation, by the log; `known` holds those up to a position."""
    club_ids, position = dict.fromkeys(known.club_ids), known.position
    while items := matches.read_log_items(position, BATCH):
        records = [item for _, item in items if isinstance(item, Record) and CLUB.owns(item)]
        club_ids |= dict.fromkeys(record.stream_id for record in records)
        position = items[-1][0]
    return tuple(each for each in club_ids if concerns(matches.streams.get(CLUB, each).state, person))


def concerns(club: Club, person: Actor) -> bool:
    """Return whether erasing a person changes a club."""
    return bool(membership.depart(club, person))
