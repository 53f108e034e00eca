"""Facts of photos of tables: that one was added, and that it was taken away again. The picture and its words are in no
record, so that they can be forgotten; a record holds the digest of the picture alone."""

from datetime import datetime
from uuid import UUID

from domain.kernel.values import Value
from domain.matches.facts import Actor
from domain.matches.log.records import Record
from domain.tournaments.fact import Text, TournamentFact


class PhotoAdded(TournamentFact, frozen=True):
    """Somebody showed how a table looked. `digest`: SHA-256 of the picture as it is shown, by which a copy of it can be
    told from another picture."""

    by: Actor
    round: int
    table: int
    photo: UUID
    digest: str


class PhotoRemoved(TournamentFact, frozen=True):
    """A photo was taken away, by who had added it or by an official; then with a reason."""

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
    """The photos of an event after one of these facts."""
    if isinstance(fact, PhotoAdded):
        return (*photos, Photo(fact.photo, fact.round, fact.table, fact.by, record.timestamp, fact.digest))
    return tuple(each for each in photos if each.id != fact.photo)
