"""Facts about photos of tables.

Records hold only the digest of a picture, so that the picture and its caption can be deleted.
"""

from datetime import datetime
from uuid import UUID

from domain.kernel.values import Value
from domain.matches.facts import Actor
from domain.matches.log.records import Record
from domain.tournaments.fact_base import Text, TournamentFact


class PhotoAdded(TournamentFact, frozen=True):
    """A photo of a table was added. `digest`: SHA-256 of the stored picture, which identifies copies of it."""

    by: Actor
    round: int
    table: int
    photo: UUID
    digest: str


class PhotoRemoved(TournamentFact, frozen=True):
    """A photo was removed, by its uploader or by an official; an official gives a reason."""

    by: Actor
    round: int
    table: int
    photo: UUID
    reason: Text = ""


class Photo(Value, frozen=True):
    """A photo of a table of a round."""

    id: UUID
    round: int
    table: int
    by: Actor
    at: datetime
    digest: str


def photos_after(photos: tuple[Photo, ...], record: Record, fact: PhotoAdded | PhotoRemoved) -> tuple[Photo, ...]:
    """Return the photos of an event after one of these facts; a new one goes last."""
    if isinstance(fact, PhotoAdded):
        return (*photos, Photo(fact.photo, fact.round, fact.table, fact.by, record.timestamp, fact.digest))
    return tuple(each for each in photos if each.id != fact.photo)
