"""Commands before the start: open a table, take seats, leave them, be ready."""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from msgspec import UNSET

from domain.kernel.hidden import MISSING, Hidden
from domain.kernel.rules import Options, UnknownOption
from domain.kernel.title import AnyTitle
from domain.kernel.values import replace
from domain.matches.aggregate import Match, info_of, require_going_on, seat_of
from domain.matches.bots import check_bot
from domain.matches.errors import (
    AlreadySeated,
    NotAllowed,
    NotOpen,
    NotSeated,
    SeatTakenAlready,
    UnknownActor,
    WrongSeatCount,
    WrongShare,
)
from domain.matches.facts import SERVICE, Actor, MatchOpened, SeatLeft, SeatReady, SeatTaken, Standing, Table, is_bot
from domain.matches.log import canonical, commitment, salt_for, share_for

BOT: Final = re.compile(r"bot:[a-z0-9_-]+@[a-zA-Z0-9._-]+")
PERSON: Final = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9_-]{0,63}")
HEX_32: Final = re.compile(r"[0-9a-f]{64}")
READY_LIVE: Final = timedelta(minutes=2)
READY_SLOW: Final = timedelta(days=1)
"""By correspondence, and where the table plays without a clock."""
UNREADY_MAX: Final = 3
"""A table dissolves when the same person has let the others wait so often: not ready in time, or gone from a full
table without having been ready."""
DISSOLVED: Final = "a player has let the others wait three times"
"""The reason in the log for which a table is dissolved; `narrate_fact` has the words."""
PAUSES_DEFAULT: Final = 3
PAUSE_LIVE_SECONDS: Final = 600
PAUSE_SLOW_SECONDS: Final = 259_200
SALT_MAX: Final = 128
"""The longest salt (in hex digits) a client may bring."""


def check_player(actor: Actor) -> None:
    """A player is a person's opaque id or `bot:NAME@VERSION`, never the service."""
    if BOT.fullmatch(actor) or (PERSON.fullmatch(actor) and actor != SERVICE):
        return
    raise UnknownActor(f"{actor!r} is neither a person's id nor bot:NAME@VERSION")


def check_host(actor: Actor) -> None:
    """The one who opens or forks a match: a player, or the service."""
    if actor != SERVICE:
        check_player(actor)


def require_open(match: Match) -> None:
    require_going_on(match)
    if match.status != "open":
        raise NotOpen(f"the match {match.id} has started")


def seated_options(title: AnyTitle, options: Mapping[str, str], seats: int) -> Options:
    """The title's options with defaults filled in, if that many can play with them."""
    known = title.rules.options(options)
    if not known.seats_min <= seats <= known.seats_max:
        raise WrongSeatCount(f"{title.name} is played by {known.seats_min} to {known.seats_max} seats, not by {seats}")
    return known


def open_match(
    title: AnyTitle, *, seats: int, options: Mapping[str, str], table: Table, by: Actor, seed: bytes
) -> MatchOpened:
    """A table of the title with these options; the title refuses options it does not know."""
    check_host(by)
    known = seated_options(title, options, seats)
    if table.event_id and by != SERVICE:
        raise NotAllowed(f"{by!r} may not open a table of the event {table.event_id}; the service does")
    if table.clock.kind != "none" and table.clock.seconds == 0:
        raise UnknownOption(f"a clock of the kind {table.clock.kind!r} needs seconds")
    return MatchOpened(
        by=by,
        title=title.name,
        rules_version=title.rules.RULES_VERSION,
        data=title.rules.data_digest(known),
        options=dict(known.chosen),
        seats=seats,
        table=table,
        seed=Hidden(seed.hex(), ()),
    )


def check_commitment(share_commitment: str) -> None:
    """What a client commits itself to has the form of a digest."""
    if not HEX_32.fullmatch(share_commitment):
        raise WrongShare(f"the commitment {share_commitment!r} is not 64 lower-case hexadecimal digits")


def take_seat(
    match: Match, seat: int, by: Actor, share_commitment: str | None = None, stands_in_for: Actor = ""
) -> SeatTaken:
    """Sit down; without a commitment of one's own the service makes the share (DESIGN §3, chance)."""
    require_open(match)
    check_player(by)
    check_bot(match.definition, by)
    holder = info_of(match, seat).actor
    if holder is not None:
        raise SeatTakenAlready(f"seat {seat} is taken by {holder!r}")
    if not is_bot(by) and (other := seat_of(match, by)) is not None:
        raise AlreadySeated(f"{by!r} sits on seat {other} already")
    if share_commitment is None:
        assert match.seed is not None
        share = share_for(match.seed, match.id, match.version + 1, seat)
        return SeatTaken(seat, by, Hidden(share.hex(), ()), "service", stands_in_for)
    check_commitment(share_commitment)
    return SeatTaken(seat, by, Hidden(MISSING, (), share_commitment), "client", stands_in_for)


def leave_seat(match: Match, seat: int, by: Actor) -> SeatLeft:
    """The player leaves, or the table's opener sends the player away."""
    require_open(match)
    info = info_of(match, seat)
    holder = info.actor
    if holder is None:
        raise NotSeated(f"nobody sits on seat {seat}")
    if by not in (holder, match.opened_by, SERVICE):
        raise NotSeated(f"{by!r} may not leave seat {seat}")
    return SeatLeft(seat, by, unready=by == holder and ready_deadline(match) is not None and not info.ready)


def ready_deadline(match: Match) -> datetime | None:
    """When a seat is freed whose player is not ready: a stated time after the table is full. A seat of a tournament or
    league is never freed."""
    if match.status != "open" or match.table.event_id or match.full_since is None:
        return None
    if not any(info.is_person and not info.ready for info in match.seats):
        return None
    return match.full_since + ready_span(match.table)


def ready_span(table: Table) -> timedelta:
    """How long the players of a full table have to get ready."""
    return READY_LIVE if table.clock.kind in ("per_move", "increment") else READY_SLOW


def free_seat(match: Match, seat: int, by: Actor, at: datetime) -> SeatLeft:
    """The service frees the seat of a player who was not ready in time."""
    require_open(match)
    info, over = info_of(match, seat), ready_deadline(match)
    if by != SERVICE:
        raise NotAllowed(f"{by!r} may not say that seat {seat} was not ready in time; the service does")
    if over is None or not info.is_person or info.ready:
        raise NotAllowed(f"nobody waits for seat {seat} to get ready")
    if max(at, match.timestamp) < over:
        raise NotAllowed(f"seat {seat} has until {over.isoformat()} to get ready")
    return SeatLeft(seat, by, unready=True)


def is_dissolved(match: Match) -> bool:
    """The same person has let the table wait too often."""
    return any(match.unready.count(actor) >= UNREADY_MAX for actor in match.unready)


def limited(table: Table) -> Table:
    """The table with a limit to the pauses that the players may agree on, in number and length, where it sets none; a
    rated one that is private is public once its match has started."""
    table = replace(table, public_once_started=True if table.rated and not table.public else UNSET)
    if table.clock.kind == "none":
        return table
    lasts = PAUSE_SLOW_SECONDS if table.clock.kind == "correspondence" else PAUSE_LIVE_SECONDS
    return replace(
        table,
        pauses=PAUSES_DEFAULT if table.pauses is UNSET else table.pauses,
        pause_seconds=lasts if table.pause_seconds is UNSET else table.pause_seconds,
    )


def ready(
    match: Match, seat: int, by: Actor, share: str | None = None, salt: str | None = None, standing: Standing = ""
) -> SeatReady:
    """The seat is ready and its share is opened; a share that does not fit its commitment is refused. For an entrant
    of a tournament or league who does not come, the service says so."""
    require_open(match)
    info = info_of(match, seat)
    is_own = info.actor == by or (by == SERVICE and match.table.event_id != "")
    if info.actor is None or not is_own:
        raise NotSeated(f"{by!r} does not sit on seat {seat}")
    if info.ready:
        raise NotAllowed(f"seat {seat} is ready already")
    if share is None or salt is None:
        assert match.seed is not None
        made = share_for(match.seed, match.id, info.taken_at_version, seat)
        share, salt = made.hex(), salt_for(match.seed, match.id, info.taken_at_version, 0).hex()
    check_share(info.share_commitment, share, salt, seat)
    return SeatReady(seat, by, share, salt, standing)


def check_share(committed: str, share: str, salt: str, seat: int) -> None:
    """The revealed share opens what the seat committed to."""
    if not HEX_32.fullmatch(share):
        raise WrongShare(f"the share {share!r} of seat {seat} is not 64 lower-case hexadecimal digits")
    if len(salt) > SALT_MAX or len(salt) % 2 or not re.fullmatch(r"[0-9a-f]*", salt):
        raise WrongShare(f"the salt {salt!r} of seat {seat} is not lower-case hexadecimal of at most {SALT_MAX} digits")
    if commitment(bytes.fromhex(salt), canonical(share)) != committed:
        raise WrongShare(f"share and salt of seat {seat} do not open its commitment {committed}")
