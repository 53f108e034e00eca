"""Commands about photos of tables: add and remove."""

from uuid import UUID, uuid5

from domain.matches.facts import Actor
from domain.tournaments.commands import player_of
from domain.tournaments.errors import NoSuchPhoto, NotYourPhoto
from domain.tournaments.photo_facts import Photo, PhotoAdded, PhotoRemoved
from domain.tournaments.registration import require_reason
from domain.tournaments.rounds import table_of
from domain.tournaments.state import Tournament


def photo_id_for(event_id: UUID, number: int, table: int, by: Actor, digest: str) -> UUID:
    """Return the id of a photo, the same when a person uploads the same picture for a table again."""
    return uuid5(event_id, f"photo {number} {table} {by} {digest}")


def sits_at(state: Tournament, number: int, table: int, person: Actor) -> bool:
    """Return whether a person plays at a table of a public round."""
    round_table = table_of(state, number, table)
    return any(player_of(state, round_table, seat) == person for seat in range(len(round_table.entries)))


def require_adding(state: Tournament, number: int, table: int, by: Actor, *, is_official: bool) -> None:
    """Raise `NotYourPhoto` if the caller may not add a photo to a table.

    Officials may at any time, but an unknown table raises `NoSuchRound`; players of the table may until the
    event ends.
    """
    if is_official:
        table_of(state, number, table)
    elif not sits_at(state, number, table, by):
        raise NotYourPhoto(f"only players at table {table} of round {number} and officials can add photos of it")
    elif state.status == "ended":
        raise NotYourPhoto("the event has ended; only officials can add photos now")


def add(
    state: Tournament, number: int, table: int, digest: str, by: Actor, *, is_official: bool
) -> tuple[PhotoAdded, ...]:
    """Add a photo to a table; the same photo by the same person changes nothing.

    Raise `NotYourPhoto` or `NoSuchRound` as `require_adding`. `is_official`: by an organiser.
    """
    require_adding(state, number, table, by, is_official=is_official)
    photo = photo_id_for(state.id, number, table, by, digest)
    if any(each.id == photo for each in state.photos):
        return ()
    return (PhotoAdded(by, number, table, photo, digest),)


def photo_named(state: Tournament, photo: UUID) -> Photo:
    """Return a photo of the event; raise `NoSuchPhoto` if it is unknown or removed."""
    stored = next((each for each in state.photos if each.id == photo), None)
    if stored is None:
        raise NoSuchPhoto(f"the event has no photo {photo}")
    return stored


def remove(state: Tournament, photo: UUID, by: Actor, reason: str, *, is_official: bool) -> PhotoRemoved:
    """Remove a photo; raise `NotYourPhoto` unless `by` uploaded it or is an official, who needs a reason.

    Raise `TournamentRefused` without that reason, `NoSuchPhoto` if it is unknown.
    """
    stored = photo_named(state, photo)
    if stored.by != by:
        if not is_official:
            raise NotYourPhoto("only the person who added a photo, or an official, can remove it")
        require_reason(reason, "the removal of a photo")
    return PhotoRemoved(by, stored.round, stored.table, photo, reason)
