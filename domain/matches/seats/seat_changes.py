"""The fold of seats: taken, left, committed, ready."""

import msgspec

from domain.kernel.hidden import Hidden
from domain.kernel.values import replace
from domain.matches.aggregate import ArbitrationState, Match, SeatInfo
from domain.matches.facts import (
    SERVICE,
    Actor,
    KeyNamed,
    SeatLeft,
    SeatReady,
    SeatTaken,
    ShareBy,
    ShareCommitted,
    SigningStopped,
    TableClosed,
    TableReopened,
    is_bot,
)
from domain.matches.log.entries import Entry


def secret_bytes(hidden: Hidden[str]) -> bytes | None:
    """Return a hidden hexadecimal value as bytes, or None if the reader does not have it."""
    value = hidden.known_or(None)
    return None if value is None else bytes.fromhex(value)


def set_seat(match: Match, seat: int, info: SeatInfo) -> tuple[SeatInfo, ...]:
    """Return the seats with one of them replaced."""
    return (*match.seats[:seat], info, *match.seats[seat + 1 :])


def add_past_player(docket: ArbitrationState, *actors: Actor | None) -> ArbitrationState:
    """Record who has sat at the match, because they may never rule on it."""
    added = tuple(actor for actor in actors if actor and not is_bot(actor) and actor not in docket.sat)
    return replace(docket, sat=(*docket.sat, *added)) if added else docket


def seat_taken(match: Match, entry: Entry, fact: SeatTaken) -> Match:
    """Seat the player; with the last seat taken, the table waits only for its players."""
    info = SeatInfo(
        fact.by,
        share_by=fact.share_by,
        share_commitment=fact.commitment if fact.share is None else fact.share.commitment or "",
        taken_at_version=entry.version,
        stands_in_for=fact.stands_in_for,
        keys=fact.keys,
    )
    seats = set_seat(match, fact.seat, info)
    full_since = entry.timestamp if all(other.actor is not None for other in seats) else None
    return replace(match, seats=seats, docket=add_past_player(match.docket, fact.by), full_since=full_since)


def seat_left(match: Match, _entry: Entry, fact: SeatLeft) -> Match:
    """Free the seat, and note a player who kept a full table waiting.

    The table counts as full until all late players are removed, one after another.
    """
    seats, leaver = set_seat(match, fact.seat, SeatInfo()), match.seats[fact.seat].actor
    unready = (*match.unready, leaver) if fact.unready and leaver is not None else match.unready
    full_since = match.full_since if fact.unready and fact.by == SERVICE else None
    return replace(match, seats=seats, full_since=full_since, unready=unready)


def share_committed(match: Match, _entry: Entry, fact: ShareCommitted) -> Match:
    """Record the commitment to a share."""
    info = replace(match.seats[fact.seat], share_by=fact.share_by, share_commitment=fact.commitment)
    return replace(match, seats=set_seat(match, fact.seat, info))


def key_named(match: Match, _entry: Entry, fact: KeyNamed) -> Match:
    """Add a signing key to the seat, which signs again."""
    info = match.seats[fact.seat]
    info = replace(info, keys=(*info.keys, fact.key), stopped_signing=False)
    return replace(match, seats=set_seat(match, fact.seat, info))


def signing_stopped(match: Match, _entry: Entry, fact: SigningStopped) -> Match:
    """Remove the signing keys of the seat."""
    info = replace(match.seats[fact.seat], keys=(), stopped_signing=True)
    return replace(match, seats=set_seat(match, fact.seat, info))


def table_closed(match: Match, entry: Entry, _fact: TableClosed) -> Match:
    """Close the table."""
    return replace(match, closed=True, full_since=entry.timestamp)


def table_reopened(match: Match, entry: Entry, fact: TableReopened) -> Match:
    """Reopen the table with a new seed and count that; seats that left their share to the service keep that choice.

    Other people must commit again.
    """
    full_since = entry.timestamp if all(info.actor is not None for info in match.seats) else None
    return replace(
        match,
        seats=tuple(map(without_share, match.seats)),
        seed=secret_bytes(fact.seed),
        closed=False,
        reopened=match.reopened + 1,
        full_since=full_since,
    )


def without_share(info: SeatInfo) -> SeatInfo:
    """Return the seat before it committed to a share."""
    share_by: ShareBy = "service" if info.share_by == "service" or info.is_bot else "awaited"
    return replace(info, ready=False, share=None, share_by=share_by, share_commitment="")


def awaiting_share(info: SeatInfo, was_closed: bool) -> SeatInfo:
    """Return the seat for a new player; at a closed table even a bot's share is fixed again."""
    share_by: ShareBy = "awaited" if was_closed or info.is_person else "service"
    return replace(info, ready=False, share=None, share_by=share_by, share_commitment="")


def seat_with_fresh_luck(info: SeatInfo, is_awaited: bool) -> SeatInfo:
    """Return the seat of a fork with fresh luck, with its share from the player or the service."""
    share_by: ShareBy = "awaited" if is_awaited else "service"
    return replace(info, ready=not is_awaited, share=None, share_by=share_by, share_commitment="")


def seat_ready(match: Match, _entry: Entry, fact: SeatReady) -> Match:
    """Mark the seat as ready with its standing and opened share; without one, the share becomes the service's."""
    info = replace(match.seats[fact.seat], ready=True, standing=fact.standing, awaited=fact.by == SERVICE)
    if fact.share is not msgspec.UNSET:
        info = replace(info, share=bytes.fromhex(fact.share))
    elif info.share_by != "service":
        info = replace(info, share_by="service", share_commitment="")
    return replace(match, seats=set_seat(match, fact.seat, info))
