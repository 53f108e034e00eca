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
from domain.matches.aggregate import Match, info_of, is_gathering, require_going_on, seat_of
from domain.matches.errors import (
    AlreadySeated,
    BadSignature,
    NotAllowed,
    NotOpen,
    NotSeated,
    SeatTakenAlready,
    SignatureMissing,
    UnknownActor,
    WrongSeatCount,
)
from domain.matches.facts import (
    FORMAT,
    SERVICE,
    Actor,
    MatchOpened,
    SeatLeft,
    SeatReady,
    SeatTaken,
    ShareBy,
    ShareCommitted,
    Standing,
    Table,
    is_bot,
    is_local,
)
from domain.matches.log.entries import salt_for, share_for
from domain.matches.play.hinting import check_hints, require_alone
from domain.matches.seats.bots import check_bot
from domain.matches.seats.one_device import check_one_device, require_bare, require_place
from domain.matches.seats.sharing import (
    REOPENED_MAX,
    check_commitment,
    check_first_format,
    check_opening,
    commit_share,
    is_for,
    is_kept,
    late_seats,
)
from domain.matches.signatures.signing_keys import check_house, require_keys
from domain.signatures.keys import NamedKey

BOT: Final = re.compile(r"bot:[a-z0-9_-]+@[a-zA-Z0-9._-]+")
PERSON: Final = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9_-]{0,63}")
READY_LIVE: Final = timedelta(minutes=2)
READY_SLOW: Final = timedelta(days=1)
"""By correspondence, and where the table plays without a clock."""
UNREADY_MAX: Final = 3
"""A table dissolves when the same person has let the others wait so often: not ready in time, or gone from a full
table without having been ready."""
DISSOLVED: Final = "a player has let the others wait three times"
LEFT_TOO_OFTEN: Final = "somebody has left three times after the table was closed"
NOBODY_LEFT: Final = "nobody is left of the people who were paired"
"""The reasons in the log for which a table is dissolved; `narrate_fact` has the words."""
PAUSES_DEFAULT: Final = 3
PAUSE_LIVE_SECONDS: Final = 600
PAUSE_SLOW_SECONDS: Final = 259_200


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
    title: AnyTitle,
    *,
    seats: int,
    options: Mapping[str, str],
    table: Table,
    by: Actor,
    seed: bytes,
    format: int = FORMAT,
    house: str = "",
    paired: bool = False,
) -> MatchOpened:
    """A table of the title with these options; the title refuses options it does not know."""
    check_host(by)
    if house:
        check_house(house)
    known = seated_options(title, options, seats)
    if table.event_id and by != SERVICE:
        raise NotAllowed(f"{by!r} may not open a table of the event {table.event_id}; the service does")
    if paired:
        require_pairing(table, by)
    if table.wait_seconds is not UNSET and not table.event_id:
        raise UnknownOption("only a table of a tournament or league says how long it waits for its players")
    check_hints(table)
    check_one_device(table)
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
        format=format,
        house=house,
        paired=paired,
    )


def require_pairing(table: Table, by: Actor) -> None:
    """A table for people who waited for one another is the service's, and none that one of them would have to open."""
    if by != SERVICE:
        raise NotAllowed(f"{by!r} may not open a table of people who were paired; the service does")
    if table.event_id or table.has_hints or table.is_one_device:
        raise NotAllowed("a table of people who were paired is of no event, has no hints, and is on no one device")


def take_seat(
    match: Match,
    seat: int,
    by: Actor,
    committed: str | None = None,
    stands_in_for: Actor = "",
    share_by: ShareBy | None = None,
    keys: tuple[NamedKey, ...] = (),
) -> SeatTaken:
    """Sit down with the own keys, committed to a share of luck (hex), `awaited` to commit before the table is closed,
    or without one of one's own (DESIGN §3, chance)."""
    require_open(match)
    check_player(by)
    check_bot(match.definition, by)
    holder = info_of(match, seat).actor
    if holder is not None:
        raise SeatTakenAlready(f"seat {seat} is taken by {holder!r}")
    if not is_bot(by) and (other := seat_of(match, by)) is not None:
        raise AlreadySeated(f"{by!r} sits on seat {other} already")
    require_alone(match, seat, by)
    require_place(match.table, by)
    require_stand_in(match, stands_in_for)
    share_by = share_by or ("service" if committed is None else "client")
    require_bare(by, share_by, has_keys=bool(keys))
    if match.format == 1:
        return take_seat_of_first_format(match, seat, by, committed, stands_in_for)
    if is_bot(by) and share_by != "service":
        raise NotAllowed(f"the bot {by!r} brings no share of luck")
    if share_by == "client":
        check_commitment(committed or "")
    check_signing(match, by, keys)
    return SeatTaken(
        seat=seat,
        by=by,
        share_by=share_by,
        stands_in_for=stands_in_for,
        commitment=committed or "" if share_by == "client" else "",
        keys=keys,
    )


def require_stand_in(match: Match, stands_in_for: Actor) -> None:
    """Substitutes are there where an organiser decides who sits."""
    if stands_in_for and not match.table.event_id:
        raise NotAllowed(f"nobody stands in for {stands_in_for!r} at a table of no tournament or league")


def check_signing(match: Match, by: Actor, keys: tuple[NamedKey, ...]) -> None:
    """The keys are the player's own; a table that asks for signatures has no place for a person without, unless the
    seat is reserved: there the player goes on unsigned."""
    require_keys(keys, by)
    if is_bot(by) and keys:
        raise BadSignature(f"the bot {by!r} signs nothing")
    if match.table.signed is True and not (keys or is_bot(by) or match.table.event_id):
        raise SignatureMissing("everybody at this table signs what they do, with a key named before sitting down")


def take_seat_of_first_format(
    match: Match, seat: int, by: Actor, committed: str | None, stands_in_for: Actor
) -> SeatTaken:
    """In a log of format 1 the service's share is committed to like any other."""
    if committed is None:
        assert match.seed is not None
        share = share_for(match.seed, match.id, match.version + 1, seat)
        hidden = Hidden(share.hex(), ())
        return SeatTaken(seat=seat, by=by, share=hidden, share_by="service", stands_in_for=stands_in_for)
    check_commitment(committed)
    known = Hidden[str](MISSING, (), committed)
    return SeatTaken(seat=seat, by=by, share=known, share_by="client", stands_in_for=stands_in_for)


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
    """When nobody waits for a player any longer: a stated time after the table is full, or closed. Then the seat is
    freed; one of a tournament or league never is, nor one where play has begun: there the service's share stands in.
    The log of a table of an event of earlier days does not say when."""
    if match.status not in ("open", "waiting") or match.full_since is None or not late_seats(match):
        return None
    span = waiting_span(match)
    return None if span is None else match.full_since + span


def waiting_span(match: Match) -> timedelta | None:
    """How long the table waits for its players: for those of an event so long as it says to come, and then, once it is
    closed, the usual time to open their shares."""
    wait = match.table.wait_seconds
    if match.status == "waiting" or match.table.event_id == "":
        return ready_span(match.table)
    if wait is UNSET:
        return None
    return ready_span(match.table) if match.closed else timedelta(seconds=wait)


def ready_span(table: Table) -> timedelta:
    """How long the players of a full table have to get ready."""
    return READY_LIVE if table.clock.kind in ("per_move", "increment") else READY_SLOW


def free_seat(match: Match, seat: int, by: Actor, at: datetime) -> SeatLeft:
    """The service frees the seat of a player who was not ready in time."""
    require_open(match)
    info_of(match, seat)
    over = ready_deadline(match)
    if by != SERVICE:
        raise NotAllowed(f"{by!r} may not say that seat {seat} was not ready in time; the service does")
    if over is None or is_kept(match) or seat not in late_seats(match):
        raise NotAllowed(f"nobody waits for seat {seat} to get ready")
    if max(at, match.timestamp) < over:
        raise NotAllowed(f"seat {seat} has until {over.isoformat()} to get ready")
    return SeatLeft(seat, by, unready=True)


def require_waited(match: Match, seat: int, at: datetime) -> None:
    """The share of the service stands in for nobody who has time left to bring one, where the match says how long that
    is. Whose share the service makes already is not waited for."""
    over = ready_deadline(match)
    if over is not None and match.seats[seat].share_by != "service" and max(at, match.timestamp) < over:
        raise NotAllowed(f"seat {seat} has until {over.isoformat()} to bring a share of luck")


def stand_in(match: Match, seat: int, standing: Standing = "") -> ShareCommitted | SeatReady:
    """The service's share stands in for a player who has not come, and whose seat is not freed."""
    if match.format > 1 and match.seats[seat].share_by == "awaited":
        return commit_share(match, seat, SERVICE)
    return ready(match, seat, SERVICE, standing=standing)


def dissolved_for(match: Match) -> str:
    """Why the table is dissolved: the same person has let it wait too often, it was left too often after it was
    closed, or everybody has left one that nobody has opened. Empty while it is not."""
    if any(match.unready.count(actor) >= UNREADY_MAX for actor in match.unready):
        return DISSOLVED
    if match.reopened >= REOPENED_MAX and not match.table.event_id:
        return LEFT_TOO_OFTEN
    is_left = match.paired and match.version > 1 and all(info.actor is None for info in match.seats)
    return NOBODY_LEFT if is_left else ""


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
    of a tournament or league who does not come, the service says so. A local guest is a guest whoever says it."""
    require_going_on(match)
    if not is_gathering(match):
        raise NotOpen(f"the match {match.id} has started")
    info = info_of(match, seat)
    if info.actor is None or not is_for(match, info, by):
        raise NotSeated(f"{by!r} does not sit on seat {seat}")
    if info.ready:
        raise NotAllowed(f"seat {seat} is ready already")
    if match.format == 1:
        return ready_in_first_format(match, seat, by, share, salt, standing)
    if by == SERVICE:
        if seat not in late_seats(match) or share or salt:
            raise NotAllowed(f"the service does not open the share of seat {seat}")
        return SeatReady(seat, by, standing=standing)
    check_opening(match, seat, share, salt)
    return SeatReady(seat, by, share or UNSET, salt or UNSET, "guest" if is_local(by) else standing)


def ready_in_first_format(
    match: Match, seat: int, by: Actor, share: str | None, salt: str | None, standing: Standing
) -> SeatReady:
    """In a log of format 1 every seat opens a share, at any time."""
    info = match.seats[seat]
    if share is None or salt is None:
        assert match.seed is not None
        made = share_for(match.seed, match.id, info.taken_at_version, seat)
        share, salt = made.hex(), salt_for(match.seed, match.id, info.taken_at_version, 0).hex()
    check_first_format(info.share_commitment, share, salt, seat)
    return SeatReady(seat, by, share, salt, standing)
