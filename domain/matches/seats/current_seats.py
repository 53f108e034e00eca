"""Seats of a person according to the log, for changes that read models have not processed yet."""

from collections.abc import Callable
from typing import Final
from uuid import UUID

from domain.kernel.values import Value
from domain.matches.aggregate import Match, seat_of
from domain.matches.errors import Tampered
from domain.matches.facts import Actor
from domain.matches.log.entries import Entry
from domain.matches.seats.attendance import is_left_to_bots, plays_unrated_with_bots
from domain.matches.seats.one_device import is_device_of
from domain.matches.transaction import MatchReader

BATCH: Final = 1_000


class OpenSeats(Value, frozen=True):
    """The unfinished matches in which a person has or had a seat, up to a log position."""

    position: int
    match_ids: tuple[UUID, ...]


def update_open_seats(matches: MatchReader, person: Actor, open_seats: OpenSeats) -> OpenSeats:
    """Return `open_seats` updated to the end of the log."""
    return update_open_matches(matches, open_seats, lambda match_id: has_open_seat(matches, match_id, person))


def update_open_matches(matches: MatchReader, open_seats: OpenSeats, is_one: Callable[[UUID], bool]) -> OpenSeats:
    """Return `open_seats` with the matches that have new entries up to the end of the log and for which `is_one` holds.

    New ones follow the known ones, by id; known ones are not tested again.
    """
    match_ids, position = set[UUID](), open_seats.position
    while page := matches.read_log_items(position, BATCH):
        match_ids |= {item.line_id for _, item in page if isinstance(item, Entry)}
        position = page[-1][0]
    new_ids = filter(is_one, sorted(match_ids))
    return OpenSeats(position, tuple(dict.fromkeys((*open_seats.match_ids, *new_ids))))


def has_open_seat(matches: MatchReader, match_id: UUID, person: Actor) -> bool:
    """Return whether the person has a seat in the unfinished match, or opened it on one device.

    False for a match that was tampered with.
    """
    match = get_untampered(matches, match_id)
    if match is None or match.is_over:
        return False
    return is_device_of(match, person) or seat_of(match, person) is not None


def get_untampered(matches: MatchReader, match_id: UUID) -> Match | None:
    """Return the match, or None if it was changed in the store; raise `NoSuchMatch`."""
    try:
        return matches.get(match_id)
    except Tampered:
        return None


def is_listed_by(matches: MatchReader, match_id: UUID, opener: Actor) -> bool:
    """Return whether the match is a listed table of this opener that waits for players."""
    match = get_untampered(matches, match_id)
    return match is not None and match.opened_by == opener and match.is_listed_and_waits


def is_bot_table_of(matches: MatchReader, match_id: UUID, opener: Actor) -> bool:
    """Return whether the match is a running table of this opener that only bots play.

    Imported and tampered matches do not count.
    """
    match = get_untampered(matches, match_id)
    if match is None or match.opened_by != opener:
        return False
    return is_left_to_bots(match) and not matches.is_imported(match_id)


def is_table_with_bots_of(matches: MatchReader, match_id: UUID, opener: Actor) -> bool:
    """Return whether the match is an unfinished, unrated table of this opener with bots.

    Imported and tampered matches do not count.
    """
    match = get_untampered(matches, match_id)
    if match is None or match.opened_by != opener:
        return False
    return plays_unrated_with_bots(match) and not matches.is_imported(match_id)
