"""Shares of luck: commit, close, open, strictly in this order (DESIGN §3; `docs/specifications/chance.md`).

All players commit to their shares before any share is opened. When every seat is taken and every share committed, the
table closes and shares are opened; a player who leaves after that voids all shares.
"""

import hashlib
import re
from typing import Final
from uuid import UUID

from domain.kernel.chance import hkdf_expand, match_key
from domain.kernel.hidden import Hidden
from domain.matches.aggregate import Match, SeatInfo, info_of, is_gathering, require_playable
from domain.matches.errors import NotAllowed, NotOpen, NotSeated, WrongShare
from domain.matches.facts import SERVICE, Actor, ShareCommitted, TableClosed, TableReopened
from domain.matches.log.entries import canonical, commitment, share_for
from domain.matches.seats.one_device import require_no_share

HEX_32: Final = re.compile(r"[0-9a-f]{64}")
SHARE_PREFIX: Final = b"esporles.share/2\x00"
SALT_MAX: Final = 128
"""Maximum length of the salt (hex digits) in log format 1."""
REOPENED_MAX: Final = 3
"""A table dissolves when it was left this many times after closing."""


def share_commitment(match_id: UUID, seat: int, actor: Actor, salt: bytes, share: bytes) -> str:
    """Return the commitment (hex), bound to this match, seat and player; salt and share are 32 bytes each."""
    context = match_id.bytes + seat.to_bytes(4, "big")
    return hashlib.sha256(SHARE_PREFIX + context + salt + share + actor.encode()).hexdigest()


def service_share(seed: bytes, luck_id: UUID, seat: int) -> bytes:
    """Return the share of a seat without one: derived from the seed and the seat.

    Equals the share of a bot's seat in log format 1, where players sat down in order.
    """
    return share_for(seed, luck_id, 2 * seat + 2, seat)


def next_seed(match: Match) -> bytes:
    """Return the seed of a reopened table, derived from the first seed so that no one can choose it."""
    assert match.seed is not None
    return hkdf_expand(match.seed, b"seed/" + match.id.bytes + (match.reopened + 1).to_bytes(4, "big"))


def share_of(match: Match, seat: int) -> bytes:
    """Return the share of a seat: its opened one, or from format 2 on the service's.

    The log must have its seed, unless the seat has opened a share.
    """
    info = match.seats[seat]
    if info.share is not None:
        return info.share
    assert match.seed is not None
    assert match.format > 1, "in format 1 every seat opens its share"
    return service_share(match.seed, match.luck_id, seat)


def luck_key(match: Match) -> bytes | None:
    """Return the luck key of the match from the shares of all seats, or None if the log has no seed.

    The service's shares stand for those not opened.
    """
    if match.seed is None:
        return None
    shares = [share_of(match, seat) for seat in range(len(match.seats))]
    return match_key(match.seed, shares, match.luck_id.bytes)


def seats_with_own_luck(match: Match) -> tuple[int, ...]:
    """Return the seats whose players contributed a share; if empty, the service alone determined the luck."""
    return tuple(seat for seat, info in enumerate(match.seats) if info.share_by == "client")


def has_player_shares(match: Match) -> bool:
    """Return whether any seat has contributed a share or is expected to."""
    return any(info.share_by != "service" for info in match.seats)


def late_seats(match: Match) -> tuple[int, ...]:
    """Return the seats of people that the table waits for: to commit, or once all have committed, to get ready."""
    unready = [seat for seat, info in enumerate(match.seats) if info.is_person and not info.ready]
    if match.format == 1 or match.closed or not has_player_shares(match):
        return tuple(unready)
    return tuple(seat for seat in unready if match.seats[seat].share_by == "awaited")


def next_closing(match: Match) -> TableClosed | None:
    """Return the closing of the table if all seats are taken and all shares committed, otherwise None.

    None also in format 1, or if no player brings a share.
    """
    if match.closed or match.format == 1 or not has_player_shares(match):
        return None
    is_full = match.status == "waiting" or all(info.actor is not None for info in match.seats)
    if not is_full or any(info.share_by == "awaited" for info in match.seats):
        return None
    return TableClosed(SERVICE)


def must_reopen(match: Match) -> bool:
    """Return whether a closed table must reopen because a player left or was replaced.

    Late players are removed one after another, and the table stays closed until all of them are.
    """
    is_free = any(info.actor is None for info in match.seats)
    is_broken = is_free or any(info.share_by == "awaited" for info in match.seats)
    if not match.closed or not is_broken or match.status != "open":
        return False
    return not (is_free and match.full_since is not None and late_seats(match))


def next_freed_seat(match: Match) -> int | None:
    """Return the late seat that the service must free next, because it has freed another one of a closed table."""
    is_free = any(info.actor is None for info in match.seats)
    if match.status != "open" or not (match.closed and is_free) or match.full_since is None:
        return None
    return next(iter(late_seats(match)), None)


def next_reopening(match: Match) -> TableReopened | None:
    """Return the reopening of a closed table that a player has left, otherwise None."""
    return TableReopened(SERVICE, Hidden(next_seed(match).hex(), ())) if must_reopen(match) else None


def check_commitment(committed: str) -> None:
    """Raise `WrongShare` for a commitment that does not have the form of a digest."""
    if not HEX_32.fullmatch(committed):
        raise WrongShare(f"the commitment {committed!r} is not 64 lower-case hexadecimal digits")


def commit_share(match: Match, seat: int, by: Actor, committed: str | None = None) -> ShareCommitted:
    """Commit a seat to a share, or with `None` leave the share to the service.

    May be repeated until the table is closed; the service does it for a late player whose seat is kept. A player who
    takes over a seat of a waiting line after that can only leave the share to the service. Raise `NotOpen` after the
    start or in format 1, `NotSeated` for other actors, `NotAllowed` once closed or ready, `WrongShare` for a malformed
    commitment, `OneDeviceRefused` for a local guest.
    """
    require_playable(match)
    info = info_of(match, seat)
    if not is_gathering(match) or match.format == 1:
        raise NotOpen(f"match {match.id} is not waiting for shares of luck")
    if info.actor is None or not may_act_for(match, info, by):
        raise NotSeated(f"{by!r} does not sit on seat {seat}")
    is_left = match.status == "waiting" and info.share_by == "awaited" and committed is None
    if match.closed and not is_left:
        raise NotAllowed(f"the table {match.id} is closed: all shares are fixed")
    if info.ready:
        raise NotAllowed(f"seat {seat} is already ready")
    if by == SERVICE and (committed is not None or info.share_by != "awaited"):
        raise NotAllowed(f"the service has no share for seat {seat}, or its share is not awaited")
    if committed is None:
        return ShareCommitted(seat, by, "service")
    require_no_share(by, "client", has_keys=False)
    check_commitment(committed)
    return ShareCommitted(seat, by, "client", committed)


def has_committed(match: Match, seat: int, by: Actor, committed: str | None) -> bool:
    """Return whether the player of the seat has already committed to this share; False for None or an unknown seat."""
    if not committed or not 0 <= seat < len(match.seats):
        return False
    info = match.seats[seat]
    return (info.actor, info.share_by, info.share_commitment) == (by, "client", committed)


def may_act_for(match: Match, info: SeatInfo, by: Actor) -> bool:
    """Return whether `by` may act for a seat before the first draw: its player, or the service for kept seats."""
    return info.actor == by or (by == SERVICE and keeps_late_seats(match))


def keeps_late_seats(match: Match) -> bool:
    """Return whether seats are kept for late players: in events, and once play has begun."""
    return match.table.event_id != "" or match.status == "waiting"


def check_opening(match: Match, seat: int, share: str | None, salt: str | None) -> None:
    """Raise `NotAllowed` for a share that may not be opened yet, `WrongShare` if it does not fit its commitment.

    A seat that left its share to the service must bring none.
    """
    info = match.seats[seat]
    if info.share_by == "awaited":
        raise NotAllowed(f"seat {seat} has not committed to a share of luck yet")
    if info.share_by == "service":
        if share or salt:
            raise WrongShare(f"seat {seat} has no committed share to open")
        return
    if not match.closed:
        raise NotAllowed(f"the table {match.id} is not closed yet: shares can be opened when all are fixed")
    if not HEX_32.fullmatch(share or "") or not HEX_32.fullmatch(salt or ""):
        raise WrongShare(
            f"share and salt of seat {seat} must be 64 lower-case hexadecimal digits each, not {share!r} and {salt!r}"
        )
    assert share is not None
    assert salt is not None
    assert info.actor is not None
    commitment = share_commitment(match.id, seat, info.actor, bytes.fromhex(salt), bytes.fromhex(share))
    if commitment != info.share_commitment:
        raise WrongShare(f"share and salt of seat {seat} do not open its commitment {info.share_commitment}")


def check_first_format(committed: str, share: str, salt: str, seat: int) -> None:
    """Raise `WrongShare` if share and salt are malformed or do not open the commitment of log format 1."""
    if not HEX_32.fullmatch(share):
        raise WrongShare(f"the share {share!r} of seat {seat} is not 64 lower-case hexadecimal digits")
    if len(salt) > SALT_MAX or len(salt) % 2 or not re.fullmatch(r"[0-9a-f]*", salt):
        raise WrongShare(f"the salt {salt!r} of seat {seat} is not lower-case hexadecimal of at most {SALT_MAX} digits")
    if commitment(bytes.fromhex(salt), canonical(share)) != committed:
        raise WrongShare(f"share and salt of seat {seat} do not open its commitment {committed}")
