"""Where somebody sits, as far as the log tells after a position: what read models do not know yet."""

from typing import Final
from uuid import UUID

from domain.kernel.values import Value
from domain.matches.aggregate import seat_of
from domain.matches.application import Matches
from domain.matches.errors import Tampered
from domain.matches.facts import Actor
from domain.matches.log import Entry
from domain.matches.one_device import is_device_of

BATCH: Final = 1_000


class Sitting(Value, frozen=True):
    """The matches going on at which somebody sits or has sat, up to a position of the log."""

    position: int
    match_ids: tuple[UUID, ...]


def follow_sitting(matches: Matches, person: Actor, known: Sitting) -> Sitting:
    """The same up to the end of the log."""
    seen, position = set[UUID](), known.position
    while found := matches.happenings(position, BATCH):
        seen |= {happening.line_id for _, happening in found if isinstance(happening, Entry)}
        position = found[-1][0]
    newer = (match_id for match_id in sorted(seen) if sits_there(matches, match_id, person))
    return Sitting(position, tuple(dict.fromkeys((*known.match_ids, *newer))))


def sits_there(matches: Matches, match_id: UUID, person: Actor) -> bool:
    """Whether the match goes on and the person has a seat there, or has opened it on one device; one that was changed
    in the store goes nowhere."""
    try:
        match = matches.get(match_id)
    except Tampered:
        return False
    return not match.is_over and (is_device_of(match, person) or seat_of(match, person) is not None)
