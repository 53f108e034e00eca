"""Commands that combine several checks and changes; the service runs them on the writer's thread."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from api.http.guards import Caller
from api.matches.admission import (
    Applicant,
    BotTables,
    ListedTables,
    admit,
    admit_bots,
    admit_listed,
    require_table_allows_bots,
)
from api.matches.bots import default_bot, require_plain_bot
from api.matches.callers import actor_at, own_seat
from api.matches.guidance import require_in_lesson
from api.matches.queries import find_owed
from api.matches.schemas import OpenMatch, OwedShown
from api.roles.conflicts import require_neutral_at
from domain.eventstore.application import Matches
from domain.eventstore.log_files import add_log, export_complete_log, export_redacted_log, note_export
from domain.keys.commands import take_seat_with_key
from domain.matches.aggregate import ArbitrationState, Match, seat_of
from domain.matches.errors import NotAllowed, NotSeated, OneDeviceRefused, StaleVersion, WrongShare
from domain.matches.facts import SERVICE, Actor, ShareBy, is_bot
from domain.matches.log.entries import ALL, Reader
from domain.matches.log.imports import ExaminedLog, examine_log
from domain.matches.log.log_files import LogFile, log_bytes
from domain.matches.play import absence_commands
from domain.matches.seats.attendance import leaves_bots_alone
from domain.matches.seats.bots import bot_name
from domain.matches.seats.luck_shares import keeps_late_seats
from domain.matches.seats.opening import with_pause_limits
from domain.ratings.tables import require_clock
from domain.roles import commands as role_commands
from domain.signatures.acts import SignedAct


def open_match(
    matches: Matches,
    new_id: UUID,
    request: OpenMatch,
    caller: Caller,
    applicant: Applicant | None,
    listed_tables: ListedTables | None,
    *,
    at: datetime,
) -> Match:
    """Open a table without seating anyone; the same request again returns the existing match.

    Raises `OneDeviceRefused` on one device or with named players, `MatchExists` for an id used otherwise, and if the
    caller may not open it (`admit`, `admit_listed`, bot accounts, rated without a clock).
    """
    if request.table.is_one_device or request.players:
        raise OneDeviceRefused("`players` is only for tables on one device")
    table = with_pause_limits(request.table)
    require_clock(table)
    require_table_allows_bots(matches, table, caller.person_id, at)
    admit(matches, table, applicant, new_id, at=at)
    admit_listed(matches, listed_tables)
    return matches.open(
        new_id, title=request.title, seats=request.seats, options=request.options, table=table, by=caller.actor, at=at
    )


def take_seat(
    matches: Matches,
    match_id: UUID,
    seat: int,
    player: Actor,
    applicant: Applicant | None,
    *,
    share: str | None,
    share_by: ShareBy | None,
    key: str,
    at: datetime,
) -> Match:
    """Seat a player on a free seat (else `SeatTakenAlready`), with a share of luck or None.

    Raises as `admit` and `take_seat_with_key`, such as `AlreadySeated` for a player who has a seat there. `key` is the
    signing key of the browser, or "".
    """
    table = matches.get(match_id).table
    require_table_allows_bots(matches, table, player, at)
    admit(matches, table, applicant, match_id, at=at)
    return take_seat_with_key(matches, match_id, seat, player, key, at=at, share=share, share_by=share_by)


def replace_seat(
    matches: Matches,
    match_id: UUID,
    seat: int,
    caller: Caller,
    bots: tuple[str, ...],
    bot_tables: BotTables | None,
    *,
    actor: Actor,
    signed: SignedAct | None,
    at: datetime,
) -> Match:
    """Replace the caller by a bot (raise as `require_plain_bot`, `admit_bots`), or seat them at a fork's empty seat."""
    match = matches.get(match_id)
    by = actor_at(match, caller, seat)
    require_plain_bot(match, seat, by, actor, bots)
    require_table_allows_bots(matches, match.table, actor, at)
    if is_bot(actor) and match.opened_by == caller.actor:
        admit_bots(matches, bot_tables, match_id, only_bots=leaves_bots_alone(match, seat))
    return matches.replace_seat(match_id, seat, by, actor=actor, signed=signed, at=at)


def act(
    matches: Matches,
    match_id: UUID,
    caller: Caller,
    seat: int | None,
    action: object,
    *,
    expected_version: int,
    at: datetime,
    signed: SignedAct | None = None,
) -> Match:
    """Take an action for the caller's seat; the service names `SERVICE_SEAT` or a bot's seat.

    Raises `NotSeated` for another seat than the caller's, or if the service names none, and `NotInLesson` for an action
    that the lesson of a practice match does not offer. A repetition or stale version is treated as by `Matches.act`.
    """
    match = matches.get(match_id)
    if not caller.is_service:
        own = own_seat(match, caller)
        if seat not in (None, own):
            raise NotSeated(f"seat {seat} is not yours; you have seat {own}")
        require_in_lesson(match, own, action)
        by = actor_at(match, caller, own)
        return matches.act(match_id, own, by, action, expected_version=expected_version, signed=signed, at=at)
    if seat is None:
        raise NotSeated("`seat` is required for the service")
    return matches.act(match_id, seat, service_actor(match, seat), action, expected_version=expected_version, at=at)


def service_actor(match: Match, seat: int) -> Actor:
    """Return the actor for whom the service acts: a bot or itself, never a person."""
    actor = match.seats[seat].actor if 0 <= seat < len(match.seats) else None
    return actor if actor is not None and is_bot(actor) else SERVICE


def seat_bot(
    matches: Matches,
    match_id: UUID,
    seat: int,
    bot: Actor,
    caller: Caller,
    bot_tables: BotTables | None,
    *,
    at: datetime,
) -> Match:
    """Seat a bot on a free seat of a table that the caller opened (else `NotAllowed`); raise also as `admit_bots`."""
    match = matches.get(match_id)
    if match.opened_by != caller.actor:
        raise NotAllowed(f"only the creator of match {match_id} can add bots")
    admit_bots(matches, bot_tables, match_id, only_bots=leaves_bots_alone(match, seat))
    return matches.take_seat(match_id, seat, bot, at=at)


def time_out(
    matches: Matches, match_id: UUID, seat: int, bots: tuple[str, ...], *, expected_version: int, at: datetime
) -> Match:
    """Record that a seat's time ran out and apply the table's policy; raise `StaleVersion` or `TimeOutRefused`."""
    match = matches.get(match_id)
    if match.version != expected_version:
        sentence = f"match {match_id} is at version {match.version}, not {expected_version}"
        raise StaleVersion(sentence, match.version)
    playing_on = default_bot(bots, match.definition) if match.table.time_out == "bot" else None
    return matches.time_out(match_id, seat, SERVICE, at=at, bot=playing_on)


def take_owed(
    matches: Matches,
    match_id: UUID,
    caller: Caller,
    seat: int | None,
    action: object,
    *,
    expected_version: int,
    at: datetime,
) -> OwedShown:
    """Take an action for the service (`act`); return its next owed decision, without a seat if there is none."""
    return find_owed(act(matches, match_id, caller, seat, action, expected_version=expected_version, at=at))


def be_ready(
    matches: Matches,
    match_id: UUID,
    caller: Caller,
    applicant: Applicant | None,
    *,
    share: str | None,
    salt: str | None,
    signed: SignedAct | None = None,
    at: datetime,
) -> Match:
    """Mark the caller's seat as ready; raise `NotSeated`, or as `admit`, but without checking the leaving habit."""
    match = matches.get(match_id)
    seat = own_seat(match, caller)
    admit(matches, match.table, applicant, match_id, at=at, skips_habit=True)
    return matches.ready(match_id, seat, caller.actor, at=at, share=share, salt=salt, signed=signed)


def commit_share(
    matches: Matches,
    match_id: UUID,
    caller: Caller,
    *,
    share: str | None,
    at: datetime,
) -> Match:
    """Commit the caller's seat (else `NotSeated`) to a share of luck; None leaves it to the service."""
    seat = own_seat(matches.get(match_id), caller)
    return matches.commit_share(match_id, seat, caller.actor, at=at, share_commitment=share)


def ready_anyway(
    matches: Matches,
    match_id: UUID,
    caller: Caller,
    applicant: Applicant | None,
    *,
    share: str,
    salt: str,
    signed: SignedAct | None = None,
    at: datetime,
) -> Match:
    """Mark the caller's seat as ready, even if the browser has lost the committed share; raise as `be_ready`.

    The service then supplies the share. If the table is closed, the caller leaves and sits down again, which voids all
    shares; where seats are kept for late players (events), `WrongShare` is raised instead.
    """
    match = matches.get(match_id)
    seat = own_seat(match, caller)
    admit(matches, match.table, applicant, match_id, at=at, skips_habit=True)
    if share and salt:
        return matches.ready(match_id, seat, caller.actor, at=at, share=share, salt=salt, signed=signed)
    if match.seats[seat].share_by == "client" and not match.closed:
        matches.commit_share(match_id, seat, caller.actor, at=at)
    try:
        return matches.ready(match_id, seat, caller.actor, at=at, signed=signed)
    except WrongShare:
        if keeps_late_seats(match):
            raise
        matches.leave_seat(match_id, seat, caller.actor, at=at)
        reseated = matches.take_seat(match_id, seat, caller.actor, at=at)
        # The signature does not fit the new seat.
        return reseated if reseated.seats[seat].keys else matches.ready(match_id, seat, caller.actor, at=at)


def hand_over(
    matches: Matches,
    match_id: UUID,
    bots: tuple[str, ...],
    caller: Caller,
    bot_tables: BotTables | None,
    *,
    at: datetime,
    signed: SignedAct | None = None,
) -> Match:
    """Replace the caller (else `NotSeated`) by the title's default bot; raise `BotCannotPlay` if there is none."""
    match = matches.get(match_id)
    seat, bot = own_seat(match, caller), default_bot(bots, match.definition)
    return replace_seat(matches, match_id, seat, caller, bots, bot_tables, actor=bot, signed=signed, at=at)


def resign(matches: Matches, match_id: UUID, caller: Caller, *, at: datetime, signed: SignedAct | None = None) -> Match:
    """Resign the caller's seat of a running match, for good; raise `NotSeated`, or `ResignRefused` if forbidden."""
    match = matches.get(match_id)
    seat = own_seat(match, caller)
    return matches.resign(match_id, seat, actor_at(match, caller, seat), signed=signed, at=at)


def announce_absence(
    matches: Matches, match_id: UUID, caller: Caller, first: int, last: int, *, signed: SignedAct | None, at: datetime
) -> Match:
    """Announce an absence of the caller's seat, in Unix seconds; raise `NotSeated` or `AbsenceRefused`."""
    seat = own_seat(matches.get(match_id), caller)
    return matches.append(
        match_id,
        at,
        lambda match: absence_commands.announce_absence(match, seat, caller.actor, first, last, at=at),
        signed,
    )


def end_absence(matches: Matches, match_id: UUID, caller: Caller, *, signed: SignedAct | None, at: datetime) -> Match:
    """End or cancel the absence of the caller's seat; raise `NotSeated`, or `AbsenceRefused` without an absence."""
    seat = own_seat(matches.get(match_id), caller)
    return matches.append(
        match_id, at, lambda match: absence_commands.end_absence(match, seat, caller.actor, at=at), signed
    )


def take_back(
    matches: Matches,
    match_id: UUID,
    caller: Caller,
    *,
    to_version: int,
    at: datetime,
    signed: SignedAct | None = None,
) -> Match:
    """Take back the caller's actions of this turn, to version `to_version`; raise `NotSeated` or `TakeBackRefused`."""
    match = matches.get(match_id)
    seat = own_seat(match, caller)
    return matches.take_back(match_id, seat, actor_at(match, caller, seat), to_version=to_version, signed=signed, at=at)


def pause(matches: Matches, match_id: UUID, caller: Caller, *, at: datetime, signed: SignedAct | None = None) -> Match:
    """Ask for a pause for the caller's seat (else `NotSeated`), which begins when all people have asked.

    The service pauses the match at once. Raises `PauseRefused` if the seat has asked already.
    """
    if caller.is_service:
        return matches.pause(match_id, SERVICE, at=at)
    return matches.ask_pause(match_id, own_seat(matches.get(match_id), caller), caller.actor, signed=signed, at=at)


def withdraw_pause(
    matches: Matches, match_id: UUID, caller: Caller, *, at: datetime, signed: SignedAct | None = None
) -> Match:
    """Withdraw the caller's request for a pause; raise `NotSeated`, or `PauseRefused` without a request."""
    seat = own_seat(matches.get(match_id), caller)
    return matches.withdraw_pause(match_id, seat, caller.actor, signed=signed, at=at)


def reader_of(matches: Matches, match_id: UUID, caller: Caller, seat: int | None, *, whole: bool) -> Reader:
    """Return the reader of an export: `ALL` for `whole`, else the seat, by default the caller's or None.

    Raises `NotAllowed` for `whole` and `NotSeated` for another seat than the caller's, unless the caller is an
    operator.
    """
    caller_seat = seat_of(matches.get(match_id), caller.person.id) if caller.person else None
    if not caller.is_operator and whole:
        raise NotAllowed("only operators can export the whole log of a running match")
    if not caller.is_operator and seat not in (None, caller_seat):
        raise NotSeated(f"seat {seat} is not yours")
    return ALL if whole else caller_seat if seat is None else seat


def log_for(matches: Matches, match_id: UUID, caller: Caller) -> tuple[str, Reader, int, int, ArbitrationState]:
    """Return the values that determine the caller's log: head, reader, visible and closed versions, docket."""
    match, lines = matches.get(match_id), matches.lines
    reader = reader_of(matches, match_id, caller, None, whole=False)
    return match.head, reader, lines.last_visible_version(match_id), lines.last_closed_version(match_id), match.docket


def export(matches: Matches, match_id: UUID, reader: Reader, last_version: int | None = None) -> bytes:
    """Return the log file redacted for a reader, or with `last_version` the complete log up to that version."""
    return log_bytes(
        export_redacted_log(matches, match_id, reader)
        if last_version is None
        else export_complete_log(matches, match_id, last_version)
    )


def grant_export(
    matches: Matches, match_id: UUID, caller: Caller, seat: int | None, *, whole: bool, at: datetime
) -> tuple[Reader, int | None]:
    """Return the reader and, for a complete log, the version up to which the caller may export it.

    An export of more than the caller could otherwise see of a running match is recorded first, in the audit trail and,
    for a complete log, in the match log. Raises as `reader_of`, and `ConflictOfInterest` if an operator plays there.
    """
    reader, match = reader_of(matches, match_id, caller, seat, whole=whole), matches.get(match_id)
    caller_seat = seat_of(match, caller.person.id) if caller.person else None
    if not (whole or seat not in (None, caller_seat)) or not matches.lines.last_closed_version(match_id):
        return reader, match.version if whole else None
    by = caller.actor if caller.person or caller.is_service else SERVICE
    require_neutral_at(matches, match_id, caller, "export hidden information", at=at)
    role_commands.note_export(matches, match_id, by=by, whole=whole, at=at)
    return reader, note_export(matches, match_id, by=by, at=at) if whole else None


def examine(matches: Matches, log: LogFile, *, at: datetime) -> ExaminedLog:
    """Audit an uploaded log; raise `ImportRefused` or `LogFault` (`examine_log`). The time grows with its length."""
    return examine_log(log, matches.titles, at=at)


def import_log(
    matches: Matches, match_id: UUID, audited_log: ExaminedLog, bots: tuple[str, ...], caller: Caller, *, at: datetime
) -> Match:
    """Store an audited match under its own id, and record the import; a log that is stored already changes nothing.

    Raises `ImportRefused` for another log of the same match, and for a running match with a bot that is unknown here.
    """
    assert audited_log.line.id == match_id
    bot_names = set(map(bot_name, bots))
    if add_log(matches, audited_log, by=caller.actor, at=at, plays=lambda bot: bot_name(bot) in bot_names):
        role_commands.note_import(matches, match_id, audited_log.line.head, by=caller.actor, at=at)
    return audited_log.line
