"""The members of the list of a club or a country, recorded whenever they change."""

from collections.abc import Iterable, Iterator
from typing import Final
from uuid import UUID, uuid5

from domain.kernel.values import Value, tagger
from domain.matches.facts import Actor
from domain.matches.log.records import Kind, Record
from domain.rankings.content import digest_of

BATCH: Final = 1_000
"""The largest number of people in a fact."""


class MembersChanged(Value, frozen=True, tag_field="type", tag=tagger("ranking_members"), omit_defaults=True):
    """People were added to the list or removed from it, by the service."""

    by: Actor
    added: tuple[Actor, ...] = ()
    removed: tuple[Actor, ...] = ()


def evolve(members: frozenset[Actor] | None, _: Record, fact: MembersChanged) -> frozenset[Actor]:
    """Return the members after one more fact."""
    return ((members or frozenset()) - {*fact.removed}) | {*fact.added}


MEMBERS: Final[Kind[MembersChanged, frozenset[Actor]]] = Kind("ranking_members", MembersChanged, evolve)


def members_id(ranking: UUID) -> UUID:
    """Return the id of the stream with the members of a list."""
    return uuid5(ranking, "members")


def digest_of_members(members: Iterable[Actor]) -> str:
    """Return the digest of members in hex: SHA-256 of their ids in order, each as JSON with a line feed.

    Empty without members.
    """
    return digest_of(sorted(members))


def changes_of(by: Actor, members: frozenset[Actor], wanted: frozenset[Actor]) -> Iterator[MembersChanged]:
    """Yield the facts after which the members are the wanted ones; none if they are already."""
    added, removed = sorted(wanted - members), sorted(members - wanted)
    for start in range(0, max(len(added), len(removed)), BATCH):
        yield MembersChanged(by, tuple(added[start : start + BATCH]), tuple(removed[start : start + BATCH]))
