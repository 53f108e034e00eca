"""Shares of luck: commit, close, open, strictly in this order (DESIGN §3). `docs/specifications/chance.md` is the
specification.

Everybody who brings a share commits to it before anybody shows one. When every seat is taken and every share fixed, the
table is closed, and only then are shares opened; whoever leaves after that makes all of them void.
"""

import hashlib
import re
from typing import Final
from uuid import UUID

from domain.kernel.chance import hkdf_expand, match_key
from domain.kernel.hidden import Hidden
from domain.matches.aggregate import Match, SeatInfo, info_of, is_gathering, require_going_on
from domain.matches.errors import NotAllowed, NotOpen, NotSeated, WrongShare
from domain.matches.facts import SERVICE, Actor, ShareCommitted, TableClosed, TableReopened
from domain.matches.log.entries import canonical, commitment, share_for
from domain.matches.seats.one_device import require_bare

HEX_32: Final = re.compile(r"[0-9a-f]{64}")
SHARE_PREFIX: Final = b"esporles.share/2\x00"
SALT_MAX: Final = 128
"""The longest salt (in hex digits) of a share in a log of format 1."""
REOPENED_MAX: Final = 3
"""A table dissolves when it has been left so often after it was closed."""


def share_commitment(match_id: UUID, seat: int, actor: Actor, salt: bytes, share: bytes) -> str:
    """What a seat commits to (hex), good for this match, seat and player alone; salt and share are 32 bytes each."""
    place = match_id.bytes + seat.to_bytes(4, "big")
    return hashlib.sha256(SHARE_PREFIX + place + salt + share + actor.encode()).hexdigest()


def service_share(seed: bytes, luck_id: UUID, seat: int) -> bytes:
    """The share of a seat that brings none: fixed with the seed, by the seat alone.

    It is that of a seat taken by a bot in a log of format 1, where everybody sat down in order.
    """
    return share_for(seed, luck_id, 2 * seat + 2, seat)


def next_seed(match: Match) -> bytes:
    """The seed of a table that was closed and is open again. It is fixed with the first one: nobody chooses it."""
    assert match.seed is not None
    return hkdf_expand(match.seed, b"seed/" + match.id.bytes + (match.reopened + 1).to_bytes(4, "big"))


def share_of(match: Match, seat: int) -> bytes:
    """What a seat adds to luck, when everything is open."""
    info = match.seats[seat]
    if info.share is not None:
        return info.share
    assert match.seed is not None
    assert match.format > 1, "in format 1 every seat opens its share"
    return service_share(match.seed, match.luck_id, seat)


def luck_key(match: Match) -> bytes | None:
    """The key of the match's luck, once every share is open; `None` where the seed is not in this log."""
    if match.seed is None:
        return None
    shares = [share_of(match, seat) for seat in range(len(match.seats))]
    return match_key(match.seed, shares, match.luck_id.bytes)


def seats_with_own_luck(match: Match) -> tuple[int, ...]:
    """The seats whose players have brought a share; where there is none, the luck is the house's alone."""
    return tuple(seat for seat, info in enumerate(match.seats) if info.share_by == "client")


def brings_luck(match: Match) -> bool:
    """Somebody has brought a share, or is going to."""
    return any(info.share_by != "service" for info in match.seats)


def late_seats(match: Match) -> tuple[int, ...]:
    """The seats for whose players everybody waits: to commit to a share; when all have, to get ready."""
    unready = [seat for seat, info in enumerate(match.seats) if info.is_person and not info.ready]
    if match.format == 1 or match.closed or not brings_luck(match):
        return tuple(unready)
    return tuple(seat for seat in unready if match.seats[seat].share_by == "awaited")


def closing(match: Match) -> TableClosed | None:
    """The table closes when every seat is taken, or stays empty, and every share that somebody brings is fixed."""
    if match.closed or match.format == 1 or not brings_luck(match):
        return None
    is_full = match.status == "waiting" or all(info.actor is not None for info in match.seats)
    if not is_full or any(info.share_by == "awaited" for info in match.seats):
        return None
    return TableClosed(SERVICE)


def is_left(match: Match) -> bool:
    """A closed table that somebody has left, or where somebody else sits. Several who were not ready in time go one
    after the other, so the table stays closed until all of them have."""
    is_free = any(info.actor is None for info in match.seats)
    is_broken = is_free or any(info.share_by == "awaited" for info in match.seats)
    if not match.closed or not is_broken or match.status != "open":
        return False
    return not (is_free and match.full_since is not None and late_seats(match))


def reopening(match: Match) -> TableReopened | None:
    """A closed table that somebody has left is open again."""
    return TableReopened(SERVICE, Hidden(next_seed(match).hex(), ())) if is_left(match) else None


def check_commitment(committed: str) -> None:
    """What a client commits itself to has the form of a digest."""
    if not HEX_32.fullmatch(committed):
        raise WrongShare(f"the commitment {committed!r} is not 64 lower-case hexadecimal digits")


def commit_share(match: Match, seat: int, by: Actor, committed: str | None = None) -> ShareCommitted:
    """The seat commits to a share of its own, or with `None` leaves it to the service; again, if it likes, until the
    table is closed. For a player who does not come and whose seat is not freed, the service does so."""
    require_going_on(match)
    info = info_of(match, seat)
    if not is_gathering(match) or match.format == 1:
        raise NotOpen(f"the match {match.id} waits for no share of luck")
    if info.actor is None or not is_for(match, info, by):
        raise NotSeated(f"{by!r} does not sit on seat {seat}")
    if match.closed:
        raise NotAllowed(f"the table {match.id} is closed: every share is fixed")
    if info.ready:
        raise NotAllowed(f"seat {seat} is ready already")
    if committed is None:
        return ShareCommitted(seat, by, "service")
    if by == SERVICE:
        raise NotAllowed(f"the service brings no share of its own for seat {seat}")
    require_bare(by, "client", has_keys=False)
    check_commitment(committed)
    return ShareCommitted(seat, by, "client", committed)


def has_committed(match: Match, seat: int, by: Actor, committed: str | None) -> bool:
    """Whether the player of the seat has committed to just this share already."""
    if not committed or not 0 <= seat < len(match.seats):
        return False
    info = match.seats[seat]
    return (info.actor, info.share_by, info.share_commitment) == (by, "client", committed)


def is_for(match: Match, info: SeatInfo, by: Actor) -> bool:
    """Who may speak for a seat before the first draw: its player, or the service where no seat is freed."""
    return info.actor == by or (by == SERVICE and is_kept(match))


def is_kept(match: Match) -> bool:
    """Nobody's seat is freed: at tables of tournaments and leagues, and once play has begun."""
    return match.table.event_id != "" or match.status == "waiting"


def check_opening(match: Match, seat: int, share: str | None, salt: str | None) -> None:
    """The seat may be ready, and shows exactly the share that it has committed to."""
    info = match.seats[seat]
    if info.share_by == "awaited":
        raise NotAllowed(f"seat {seat} has not committed to a share of luck yet")
    if info.share_by == "service":
        if share or salt:
            raise WrongShare(f"seat {seat} has committed to no share; there is none to open")
        return
    if not match.closed:
        raise NotAllowed(f"the table {match.id} is not closed yet: no share is opened before all are fixed")
    if not HEX_32.fullmatch(share or "") or not HEX_32.fullmatch(salt or ""):
        raise WrongShare(
            f"share and salt of seat {seat} are 64 lower-case hexadecimal digits each, not {share!r} and {salt!r}"
        )
    assert share is not None
    assert salt is not None
    assert info.actor is not None
    opened = share_commitment(match.id, seat, info.actor, bytes.fromhex(salt), bytes.fromhex(share))
    if opened != info.share_commitment:
        raise WrongShare(f"share and salt of seat {seat} do not open its commitment {info.share_commitment}")


def check_first_format(committed: str, share: str, salt: str, seat: int) -> None:
    """The revealed share opens what the seat committed to in a log of format 1."""
    if not HEX_32.fullmatch(share):
        raise WrongShare(f"the share {share!r} of seat {seat} is not 64 lower-case hexadecimal digits")
    if len(salt) > SALT_MAX or len(salt) % 2 or not re.fullmatch(r"[0-9a-f]*", salt):
        raise WrongShare(f"the salt {salt!r} of seat {seat} is not lower-case hexadecimal of at most {SALT_MAX} digits")
    if commitment(bytes.fromhex(salt), canonical(share)) != committed:
        raise WrongShare(f"share and salt of seat {seat} do not open its commitment {committed}")
