"""Open the match of a table of a tournament or league and seat its players, in one transaction.

The seats are reserved (`domain.matches.seats.reserved`) for the entrant, or a substitute named by an organiser.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from msgspec import UNSET

from domain.kernel.title import AnyTitle
from domain.kernel.values import replace
from domain.matches.aggregate import Match
from domain.matches.errors import MatchExists
from domain.matches.facts import SERVICE, Actor, ShareBy, Standing, Table, is_bot, is_local
from domain.matches.forks.lineage import read_official_line
from domain.matches.play.absence_terms import fault_of_absence_days
from domain.matches.play.commands import replace_seat
from domain.matches.play.deadlines import append_overdue_facts
from domain.matches.seats.luck_shares import late_seats
from domain.matches.seats.one_device import require_local_guests
from domain.matches.seats.opening import open_match, ready, ready_span, take_seat, use_service_share, with_pause_limits
from domain.matches.transaction import Transaction


def fault_of_event_table(table: Table) -> str | None:
    """Return why a table is invalid for a tournament or league, or None if it is valid.

    It may have no event yet, no hints and not be on one device; a clock needs seconds.
    """
    if table.event_id:
        return "an event table cannot name another event"
    if table.clock.kind != "none" and table.clock.seconds == 0:
        return f"a clock of the kind {table.clock.kind!r} requires seconds"
    if table.has_hints:
        return "hints=true: event tables have no hints"
    if table.is_one_device:
        return "oneDevice=true: event tables cannot be on one device"
    return fault_of_absence_days(table)


def limit_wait(table: Table, span: timedelta) -> Table:
    """Return the table with a limit to the time that it waits for its players."""
    return replace(table, wait_seconds=int(span.total_seconds()))


def seat_match(
    batch: Transaction,
    title: AnyTitle,
    match_id: UUID,
    *,
    of: UUID,
    table: Table,
    options: dict[str, str],
    players: Sequence[Actor],
    entrants: Sequence[Actor],
    seed: bytes,
) -> Match:
    """Open the match of an event table and seat its players; idempotent.

    `of` is the tournament or league, and `entrants` own the seats. An existing match is kept and the missing players
    are seated; if it was superseded, the official line is used. Raise `MatchExists` if the match is not of this event.
    """
    if batch.has(match_id):
        match = read_official_line(batch, match_id)
        if match.table.event_id != str(of):
            raise MatchExists(f"the match id {match_id} is already in use")
    else:
        must_sign = True if table.signed is UNSET and batch.house else table.signed
        terms = replace(with_pause_limits(table), event=str(of), signed=must_sign)
        match = open_table(
            batch, title, match_id, seats=len(players), options=options, table=terms, by=SERVICE, seed=seed
        )
    for seat, (actor, entrant) in enumerate(zip(players, entrants, strict=True)):
        if match.status == "open" and match.seats[seat].actor is None:
            match = seat_player(batch, match, seat, actor, "" if actor == entrant else entrant)
    return match


def open_table(
    batch: Transaction,
    title: AnyTitle,
    match_id: UUID,
    *,
    seats: int,
    options: Mapping[str, str],
    table: Table,
    by: Actor,
    seed: bytes,
    paired: bool = False,
) -> Match:
    """Open a new table within a transaction, under the service's key if it signs; its id must be unused."""
    service_key = batch.house.key if batch.house else ""
    fact = open_match(
        title, seats=seats, options=options, table=table, by=by, seed=seed, house=service_key, paired=paired
    )
    return batch.open(match_id, title, fact)


def begin_on_one_device(
    batch: Transaction,
    title: AnyTitle,
    match_id: UUID,
    *,
    players: Sequence[Actor],
    options: Mapping[str, str],
    table: Table,
    by: Actor,
    seed: bytes,
) -> Match:
    """Open a table on one device, seat its local guests and bots, and start the match.

    Raise `OneDeviceRefused` for too few local guests or another person.
    """
    require_local_guests(players)
    match = open_table(
        batch, title, match_id, seats=len(players), options=options, table=with_pause_limits(table), by=by, seed=seed
    )
    for seat, player in enumerate(players):
        match = batch.add(match_id, take_seat(match, seat, player))
    for seat, player in enumerate(players):
        if is_local(player):
            match = batch.add(match_id, ready(match, seat, player))
    return match


def seat_player(batch: Transaction, match: Match, seat: int, actor: Actor, stands_in_for: Actor) -> Match:
    """Seat a player before the start; a person commits to a share of luck later. Raise as `opening.take_seat`."""
    brings_share = match.format > 1 and not is_bot(actor)
    share_by: ShareBy = "awaited" if brings_share else "service"
    return batch.append(
        match.id,
        lambda current: take_seat(
            current, seat, actor, stands_in_for=stands_in_for, share_by=share_by, keys=batch.keys_of(actor)
        ),
    )


def seat_substitute(batch: Transaction, match: Match, seat: int, actor: Actor, stands_in_for: Actor) -> Match:
    """Let a substitute play for a seat as the service, before or after the start; raise as `commands.replace_seat`."""
    return batch.append(
        match.id, lambda current: replace_seat(current, seat, SERVICE, actor, stands_in_for, batch.keys_of(actor))
    )


def start_without_late_players(
    batch: Transaction, match: Match, standing: Callable[[Actor, datetime], Standing]
) -> Match:
    """Start a match without its late players, using the service's shares of luck; return the match.

    A player who has committed to a share keeps the usual time to open it after the table is closed. A table with a
    stated waiting time does not start earlier.
    """
    if match.table.wait_seconds is not UNSET:
        return append_overdue_facts(batch, match, standing)
    while match.status == "open" and (late := late_seats(match)):
        if match.closed and match.full_since is not None and batch.at < match.full_since + ready_span(match.table):
            late = tuple(seat for seat in late if match.seats[seat].share_by == "service")
        if not late:
            break
        actor = match.seats[late[0]].actor
        assert actor is not None
        match = batch.add(match.id, use_service_share(match, late[0], standing(actor, batch.at)))
    return match
