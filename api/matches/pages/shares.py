"""Shares of luck as a page shows them, and what a browser must know to bring one."""

from __future__ import annotations

import msgspec

from domain.matches.aggregate import Match, is_gathering
from domain.matches.facts import Actor, ShareBy
from domain.matches.seats.sharing import is_kept


class ShareShown(msgspec.Struct, frozen=True):
    """What a seat adds to luck: committed to, then opened; `by` whom it is made."""

    by: ShareBy
    commitment: str
    share: str


class OwnShare(msgspec.Struct, frozen=True):
    """What the reader's browser must know to make a share of luck, to commit to it and to open it."""

    seat: int
    actor: Actor
    by: ShareBy
    commitment: str
    round: int
    """How often the table has been opened again: each time a new share is made."""
    may_open: bool
    """The seat can be ready now."""
    at_once: bool
    """There are only bots beside the reader, or nobody is asked: the browser opens the share by itself."""


def shares_of(match: Match) -> tuple[ShareShown, ...]:
    """What every seat adds to luck, as far as it is open."""
    return tuple(ShareShown(seat.share_by, seat.share_commitment, (seat.share or b"").hex()) for seat in match.seats)


def own_share_of(match: Match, seat: int | None) -> OwnShare | None:
    """What the reader's seat adds to luck, until it is ready."""
    if seat is None or not is_gathering(match) or match.seats[seat].ready:
        return None
    info = match.seats[seat]
    alone = all(other.is_bot for number, other in enumerate(match.seats) if number != seat)
    return OwnShare(
        seat,
        info.actor or "",
        info.share_by,
        info.share_commitment,
        match.reopened,
        may_open=info.share_by == "service" or match.format == 1 or match.closed,
        at_once=alone or is_kept(match),
    )
