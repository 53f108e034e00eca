"""Commands before the start: open a table, take and leave seats, get ready."""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from msgspec import UNSET

from domain.kernel.hidden import MISSING, Hidden
from domain.kernel.rules import Options, UnknownOption
from domain.kernel.title import AnyTitle
from domain.kernel.values import replace
from domain.matches.aggregate import Match, info_of, is_gathering, require_playable, seat_of
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
    WrongShare,
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
from domain.matches.play.absence_terms import check_absence_days
from domain.matches.play.hint_tables import check_hints, require_alone
from domain.matches.seats.bots import check_bot
from domain.matches.seats.luck_shares import (
    REOPENED_MAX,
    check_commitment,
    check_first_format,
    check_opening,
    commit_share,
    keeps_late_seats,
    late_seats,
    may_act_for,
)
from domain.matches.seats.one_device import check_one_device, require_matching_player, require_no_share
from domain.matches.signatures.signing_keys import check_service_key, require_keys
from domain.signatures.keys import NamedKey

BOT: Final = re.compile(r"bot:[a-z0-9_-]+@[0-9]+")
PERSON: Final = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9_-]{0,63}")
READY_LIVE: Final = timedelta(minutes=2)
READY_SLOW: Final = timedelta(days=1)
"""Correspondence tables and tables without a clock."""
UNREADY_MAX: Final = 3
"""A table dissolves when the same person has kept it waiting this many times.

Either not ready in time, or gone from a full table before getting ready.
"""
DISSOLVED: Final = "a player has let the others wait three times"
LEFT_TOO_OFTEN: Final = "somebody has left three times after the table was closed"
NOBODY_LEFT: Final = "nobody is left of the people who were paired"
"""Reasons in the log for dissolving a table; `narrate_fact` translates them."""
PAUSES_DEFAULT: Final = 3
PAUSE_LIVE_SECONDS: Final = 600
PAUSE_SLOW_SECONDS: Final = 259_200


def check_player(actor: Actor) -> None:
    """Raise `UnknownActor` unless the actor is a person's id or `bot:NAME@VERSION`; the service is neither."""
    if BOT.fullmatch(actor) or (PERSON.fullmatch(actor) and actor != SERVICE):
        return
    raise UnknownActor(f"{actor!r} is neither a person's id nor bot:NAME@VERSION")


def check_host(actor: Actor) -> None:
    """Raise `UnknownActor` for an actor who cannot open or fork a match: neither a player nor the service."""
    if actor != SERVICE:
        check_player(actor)


def require_open(match: Match) -> None:
    """Raise `NotOpen` for a match that has started, `MatchOver` if it is over, `RulesRetired` under retired rules."""
    require_playable(match)
    if match.status != "open":
        raise NotOpen(f"match {match.id} has started")


def options_for_seats(title: AnyTitle, options: Mapping[str, str], seats: int) -> Options:
    """Return the title's options with defaults; raise `UnknownOption`, or `WrongSeatCount` if they exclude `seats`."""
    chosen = title.rules.options(options)
    if not chosen.seats_min <= seats <= chosen.seats_max:
        raise WrongSeatCount(f"{title.name} has {chosen.seats_min} to {chosen.seats_max} seats, not {seats}")
    return chosen


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
    """Return the opening of a table; the title rejects unknown options.

    Raise `UnknownActor`, `WrongSeatCount`, `UnknownOption` (also a clock without seconds, a wait without an event),
    `NotAllowed` if only the service may open it, `HintsRefused` or `OneDeviceRefused`.
    """
    check_host(by)
    if house:
        check_service_key(house)
    chosen = options_for_seats(title, options, seats)
    if table.event_id and by != SERVICE:
        raise NotAllowed(f"{by!r} cannot create a table of the event {table.event_id}; only the service can")
    if paired:
        require_pairing(table, by)
    if table.wait_seconds is not UNSET and not table.event_id:
        raise UnknownOption("only a table of a tournament or league has a waiting time for its players")
    check_hints(table)
    check_one_device(table)
    check_absence_days(table, format)
    if table.clock.kind != "none" and table.clock.seconds == 0:
        raise UnknownOption(f"a clock of the kind {table.clock.kind!r} requires seconds")
    return MatchOpened(
        by=by,
        title=title.name,
        rules_version=title.rules.RULES_VERSION,
        data=title.rules.data_digest(chosen),
        options=dict(chosen.chosen),
        seats=seats,
        table=table,
        seed=Hidden(seed.hex(), ()),
        format=format,
        house=house,
        paired=paired,
    )


def require_pairing(table: Table, by: Actor) -> None:
    """Raise `NotAllowed` for a table of paired players unless the service opens it without options of an opener.

    These are an event, hints and one device.
    """
    if by != SERVICE:
        raise NotAllowed(f"{by!r} cannot create a table of paired people; only the service can")
    if table.event_id or table.has_hints or table.is_one_device:
        raise NotAllowed("a table of paired people cannot have an event or hints, or be on one device")


def take_seat(
    match: Match,
    seat: int,
    by: Actor,
    committed: str | None = None,
    stands_in_for: Actor = "",
    share_by: ShareBy | None = None,
    keys: tuple[NamedKey, ...] = (),
) -> SeatTaken:
    """Take a seat with signing keys and a share of luck (DESIGN §3, chance).

    The share is committed now (hex), later (`awaited`), or left to the service. Raise `NotOpen`, `SeatTakenAlready`,
    `AlreadySeated` for a person with a seat, `BotCannotPlay`, `WrongShare`, `NotAllowed` for a bot with a share, or as
    the table's hints, device and signatures require.
    """
    require_open(match)
    check_player(by)
    check_bot(match.definition, by)
    holder = info_of(match, seat).actor
    if holder is not None:
        raise SeatTakenAlready(f"seat {seat} is taken by {holder!r}")
    if not is_bot(by) and (other := seat_of(match, by)) is not None:
        raise AlreadySeated(f"{by!r} already sits on seat {other}")
    require_alone(match, seat, by)
    require_matching_player(match.table, by)
    require_substitute_allowed(match, stands_in_for)
    share_by = share_by or ("service" if committed is None else "client")
    require_no_share(by, share_by, has_keys=bool(keys))
    if is_bot(by) and share_by != "service":
        raise NotAllowed(f"the bot {by!r} cannot have a share of luck")
    if match.format == 1:
        return take_seat_of_first_format(match, seat, by, committed, stands_in_for)
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


def require_substitute_allowed(match: Match, stands_in_for: Actor) -> None:
    """Raise `NotAllowed` for a substitute (not "") at a table without an organiser."""
    if stands_in_for and not match.table.event_id:
        raise NotAllowed(f"players can stand in for {stands_in_for!r} only at a table of a tournament or league")


def check_signing(match: Match, by: Actor, keys: tuple[NamedKey, ...]) -> None:
    """Raise `BadSignature` for invalid keys or a bot's, `SignatureMissing` for no keys if the table requires them.

    Bots and the reserved seats of events continue unsigned.
    """
    require_keys(keys, by)
    if is_bot(by) and keys:
        raise BadSignature(f"the bot {by!r} cannot sign")
    if match.table.signed is True and not (keys or is_bot(by) or match.table.event_id):
        raise SignatureMissing("all players at this table must sign, with a key named when taking the seat")


def take_seat_of_first_format(
    match: Match, seat: int, by: Actor, committed: str | None, stands_in_for: Actor
) -> SeatTaken:
    """Take a seat in log format 1, where the service commits to its share as well.

    Without `committed` the share is derived from the seed.
    """
    if committed is None:
        assert match.seed is not None
        share = share_for(match.seed, match.id, match.version + 1, seat)
        hidden = Hidden(share.hex(), ())
        return SeatTaken(seat=seat, by=by, share=hidden, share_by="service", stands_in_for=stands_in_for)
    check_commitment(committed)
    committed_share = Hidden[str](MISSING, (), committed)
    return SeatTaken(seat=seat, by=by, share=committed_share, share_by="client", stands_in_for=stands_in_for)


def leave_seat(match: Match, seat: int, by: Actor) -> SeatLeft:
    """Leave a seat; the table's opener and the service may remove the player.

    Raise `NotOpen` after the start, `NotSeated` for an empty seat or another actor. Leaving a table that waits only for
    players counts against the player (`unready`).
    """
    require_open(match)
    info = info_of(match, seat)
    holder = info.actor
    if holder is None:
        raise NotSeated(f"seat {seat} is empty")
    if by not in (holder, match.opened_by, SERVICE):
        raise NotSeated(f"{by!r} may not leave seat {seat}")
    return SeatLeft(seat, by, unready=by == holder and ready_deadline(match) is not None and not info.ready)


def ready_deadline(match: Match) -> datetime | None:
    """Return when the table stops waiting for players, or None if it does not.

    The seat is then freed. In events and after the start, the service supplies the share instead. Older event tables do
    not state a time.
    """
    if match.status not in ("open", "waiting") or match.full_since is None or not late_seats(match):
        return None
    span = waiting_span(match)
    return None if span is None else match.full_since + span


def waiting_span(match: Match) -> timedelta | None:
    """Return the time that the table waits for its players, or None for an open event table that states none.

    An event table states the time to commit; once it is closed, the usual time to open shares applies.
    """
    wait = match.table.wait_seconds
    if match.status == "waiting" or match.table.event_id == "":
        return ready_span(match.table)
    if wait is UNSET:
        return None
    return ready_span(match.table) if match.closed else timedelta(seconds=wait)


def ready_span(table: Table) -> timedelta:
    """Return the time that players of a full table have to get ready."""
    return READY_LIVE if table.clock.kind in ("per_move", "increment") else READY_SLOW


def free_seat(match: Match, seat: int, by: Actor, at: datetime) -> SeatLeft:
    """Free the seat of a player who was not ready in time; this counts against the player (`unready`).

    Raise `NotAllowed` unless the service does so after the deadline for a late seat that is not kept.
    """
    require_open(match)
    info_of(match, seat)
    deadline = ready_deadline(match)
    if by != SERVICE:
        raise NotAllowed(f"{by!r} cannot report that seat {seat} was not ready in time; only the service can")
    if deadline is None or keeps_late_seats(match) or seat not in late_seats(match):
        raise NotAllowed(f"seat {seat} is not expected to get ready")
    if max(at, match.timestamp) < deadline:
        raise NotAllowed(f"seat {seat} has until {deadline.isoformat()} to get ready")
    return SeatLeft(seat, by, unready=True)


def require_waited(match: Match, seat: int, at: datetime) -> None:
    """Raise `NotAllowed` for the service's share before the time in which the player may commit or open one is over.

    It begins when the table waits for its players. A seat that left its share to the service is not waited for.
    """
    if match.seats[seat].share_by == "service" or waiting_span(match) is None:
        return
    deadline = ready_deadline(match)
    if deadline is None:
        raise NotAllowed(f"seat {seat} is not waited for: the table is not full")
    if max(at, match.timestamp) < deadline:
        raise NotAllowed(f"seat {seat} has until {deadline.isoformat()} to contribute a share of luck")


def use_service_share(match: Match, seat: int, standing: Standing = "") -> ShareCommitted | SeatReady:
    """Return the fact by which the service commits, or once committed gets ready, for a late player of a kept seat."""
    if match.format > 1 and match.seats[seat].share_by == "awaited":
        return commit_share(match, seat, SERVICE)
    return ready(match, seat, SERVICE, standing=standing)


def dissolution_reason(match: Match) -> str:
    """Return why the table dissolves, or "".

    The same person kept it waiting too often, it was reopened too often, or all paired players left.
    """
    if any(match.unready.count(actor) >= UNREADY_MAX for actor in match.unready):
        return DISSOLVED
    if match.reopened >= REOPENED_MAX and not match.table.event_id:
        return LEFT_TOO_OFTEN
    is_left = match.paired and match.version > 1 and all(info.actor is None for info in match.seats)
    return NOBODY_LEFT if is_left else ""


def with_pause_limits(table: Table) -> Table:
    """Return the table with default limits on pauses where it has none; unchanged in this without a clock.

    A rated private table becomes public once its match has started.
    """
    table = replace(table, public_once_started=True if table.rated and not table.public else UNSET)
    if table.clock.kind == "none":
        return table
    pause_seconds = PAUSE_SLOW_SECONDS if table.clock.kind == "correspondence" else PAUSE_LIVE_SECONDS
    return replace(
        table,
        pauses=PAUSES_DEFAULT if table.pauses is UNSET else table.pauses,
        pause_seconds=pause_seconds if table.pause_seconds is UNSET else table.pause_seconds,
    )


def ready(
    match: Match, seat: int, by: Actor, share: str | None = None, salt: str | None = None, standing: Standing = ""
) -> SeatReady:
    """Mark a seat as ready and open its share; raise `NotOpen`, `NotSeated`, `NotAllowed` or `WrongShare`.

    For a late player whose seat is kept the service does this, without a share. A local guest always has the standing
    of a guest.
    """
    require_playable(match)
    if not is_gathering(match):
        raise NotOpen(f"match {match.id} has started")
    info = info_of(match, seat)
    if info.actor is None or not may_act_for(match, info, by):
        raise NotSeated(f"{by!r} does not sit on seat {seat}")
    if info.ready:
        raise NotAllowed(f"seat {seat} is already ready")
    if match.format == 1:
        return ready_in_first_format(match, seat, by, share, salt, standing)
    if by == SERVICE:
        if seat not in late_seats(match) or info.share_by == "awaited" or share or salt:
            raise NotAllowed(f"the service cannot open the share of seat {seat}")
        return SeatReady(seat, by, standing=standing)
    check_opening(match, seat, share, salt)
    return SeatReady(seat, by, share or UNSET, salt or UNSET, "guest" if is_local(by) else standing)


def ready_in_first_format(
    match: Match, seat: int, by: Actor, share: str | None, salt: str | None, standing: Standing
) -> SeatReady:
    """Mark a seat as ready in log format 1, where every seat opens a share at any time.

    Without share and salt the service's are used; raise `WrongShare` if they do not fit the commitment.
    """
    info = match.seats[seat]
    if is_bot(by) and info.share_by == "client":
        raise WrongShare(f"the bot {by!r} cannot open the share of the player who had seat {seat} before")
    if share is None or salt is None:
        assert match.seed is not None
        service_share = share_for(match.seed, match.id, info.taken_at_version, seat)
        share, salt = service_share.hex(), salt_for(match.seed, match.id, info.taken_at_version, 0).hex()
    check_first_format(info.share_commitment, share, salt, seat)
    return SeatReady(seat, by, share, salt, standing)
