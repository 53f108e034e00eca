"""Shares of luck on pages, and the data a browser needs to contribute one."""

from __future__ import annotations

import msgspec

from domain.matches.aggregate import Match, is_gathering
from domain.matches.facts import Actor, ShareBy
from domain.matches.seats.luck_shares import keeps_late_seats


class ShareShown(msgspec.Struct, frozen=True):
    """The share of a seat, committed and later opened; `by` is its source."""

    by: ShareBy
    commitment: str
    share: str


class OwnShare(msgspec.Struct, frozen=True):
    """The data a browser needs to make, commit and open a share of luck."""

    seat: int
    actor: Actor
    by: ShareBy
    commitment: str
    round: int
    """The number of times the table was reopened; each round needs a new share."""
    may_open: bool
    """Whether the seat can get ready now."""
    at_once: bool
    """Whether the browser opens the share automatically, because the reader plays against bots or play has begun."""


def shares_of(match: Match) -> tuple[ShareShown, ...]:
    """Return the shares of all seats; those not yet open are empty."""
    return tuple(ShareShown(seat.share_by, seat.share_commitment, (seat.share or b"").hex()) for seat in match.seats)


def own_share_of(match: Match, seat: int | None) -> OwnShare | None:
    """Return the data for the reader's share of luck.

    None without a seat, once the seat is ready, and after the start.
    """
    if seat is None or not is_gathering(match) or match.seats[seat].ready:
        return None
    info = match.seats[seat]
    only_bots = all(other_seat.is_bot for number, other_seat in enumerate(match.seats) if number != seat)
    return OwnShare(
        seat,
        info.actor or "",
        info.share_by,
        info.share_commitment,
        match.reopened,
        may_open=info.share_by == "service" or match.format == 1 or match.closed,
        at_once=only_bots or keeps_late_seats(match),
    )
