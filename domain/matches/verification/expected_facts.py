"""The fact expected at each point of a log: a command repeated, or a consequence of the position."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

from msgspec import UNSET

from domain.kernel.title import AnyTitle
from domain.kernel.values import replace
from domain.matches.aggregate import Match, info_of
from domain.matches.consequences import next_consequence
from domain.matches.errors import LogFault, NotAllowed
from domain.matches.facts import (
    SERVICE,
    ActionTaken,
    Fact,
    KeyNamed,
    MatchForked,
    MatchOpened,
    PauseAsked,
    Paused,
    Resigned,
    Resumed,
    RulingGiven,
    SeatLeft,
    SeatReady,
    SeatReplaced,
    SeatTaken,
    ShareCommitted,
    SigningStopped,
    TakenBack,
    TimedOut,
    Voided,
    action_of,
)
from domain.matches.forks import forking
from domain.matches.play import absence_commands, commands
from domain.matches.play.absences import AbsenceAnnounced, AbsenceEnded
from domain.matches.rulings import ruling
from domain.matches.seats import luck_shares, opening
from domain.matches.seats.luck_shares import next_freed_seat
from domain.matches.signatures import signing, signing_keys
from domain.matches.signatures.signing import Past


def repeat_fork(match: Match, fact: MatchForked) -> Fact:
    """Return the fork that repeating its command gives; raise `LogFault` unless it forks this line at this version.

    The fork's log does not show whether its parent had ended, so this is not checked.
    """
    if fact.parent != str(match.id) or fact.at != match.version:
        raise LogFault(match.version + 1, "legality", f"it forks {fact.parent} at entry {fact.at}, not its own line")
    forking.check_position(match, match.version)
    forking.check_format(match, fact.format)
    seed = b"" if fact.seed is None else bytes.fromhex(fact.seed.value)
    if fact.ruling:
        return forking.build_replacement(match, ruling=fact.ruling, clocks=fact.clocks, seed=seed, format=fact.format)
    return forking.fork(
        match,
        luck=fact.luck,
        by=fact.by,
        seats=fact.seats,
        seed=seed,
        parent_is_over=True,
        dispute=fact.dispute,
        awaits=fact.awaits,
        format=fact.format,
        practice=fact.practice,
    )


def repeat_take_seat(match: Match, fact: SeatTaken) -> Fact:
    """Return the fact that taking the seat again, with the stored arguments, gives; raise as `opening.take_seat`."""
    commitment = fact.commitment or None
    if fact.share is not None and fact.share_by == "client":
        commitment = fact.share.commitment
    return opening.take_seat(match, fact.seat, fact.by, commitment, fact.stands_in_for, fact.share_by, fact.keys)


def repeat_resume(match: Match, fact: Resumed) -> Fact:
    """Return the fact that resuming or withdrawing the pause request again gives; raise as these commands do."""
    if fact.withdrawn is not None:
        return commands.withdraw_pause(match, fact.withdrawn, fact.by)
    return commands.resume(match, fact.by, fact.charged)


def repeat_ready(match: Match, fact: SeatReady, at: datetime) -> Fact:
    """Return the fact that getting ready again, with the stored arguments, gives; raise as `opening.ready`.

    Raise `NotAllowed` also if the service was early (`require_waited`), or if the next bot is not ready yet.
    """
    info_of(match, fact.seat)
    bots = [(seat, info.actor, "") for seat, info in enumerate(match.seats) if info.is_bot and not info.ready]
    if bots and (fact.seat, fact.by, fact.standing) != bots[0]:
        raise NotAllowed(f"the bot {bots[0][1]!r} on seat {bots[0][0]} gets ready first")
    if fact.by == SERVICE:
        opening.require_waited(match, fact.seat, at)
    share = None if fact.share is UNSET else fact.share
    salt = None if fact.salt is UNSET else fact.salt
    return opening.ready(match, fact.seat, fact.by, share, salt, fact.standing)


def repeat_leave_seat(match: Match, fact: SeatLeft, at: datetime) -> Fact:
    """Return the fact that leaving or freeing the seat again gives; raise as `leave_seat` or `free_seat`.

    Earlier versions of the service did not store `unready`, so its absence is accepted.
    """
    if fact.unready and fact.by == SERVICE:
        return opening.free_seat(match, fact.seat, fact.by, at)
    repeated = opening.leave_seat(match, fact.seat, fact.by)
    return repeated if fact.unready else replace(repeated, unready=False)


def require_freed(match: Match, fact: Fact | None) -> None:
    """Raise `LogFault` unless the service frees the next late seat of a closed table, if it has freed another one."""
    seat = next_freed_seat(match)
    is_freed = isinstance(fact, SeatLeft) and (fact.seat, fact.by, fact.unready) == (seat, SERVICE, True)
    if seat is not None and not is_freed:
        raise LogFault(match.version + 1, "legality", f"the service must free the late seat {seat} here")


def repeat_commit_share(match: Match, fact: ShareCommitted, at: datetime) -> Fact:
    """Return the fact that committing the seat again gives; raise as `luck_shares.commit_share`.

    Raise `NotAllowed` also if the service was early (`require_waited`).
    """
    info_of(match, fact.seat)
    if fact.by == SERVICE:
        opening.require_waited(match, fact.seat, at)
    return luck_shares.commit_share(match, fact.seat, fact.by, fact.commitment or None)


REPEAT: Final[Mapping[type[Any], Callable[[Match, Any], Fact]]] = {
    SeatTaken: repeat_take_seat,
    ActionTaken: lambda match, fact: commands.act(match, fact.seat, fact.by, action_of(fact)),
    TakenBack: lambda match, fact: commands.take_back(match, fact.seat, fact.by, fact.to_version),
    Resigned: lambda match, fact: commands.resign(match, fact.seat, fact.by),
    SeatReplaced: lambda match, fact: commands.replace_seat(
        match, fact.seat, fact.by, fact.actor, fact.stands_in_for, fact.keys, fact.reason
    ),
    KeyNamed: lambda match, fact: signing_keys.name_key(match, fact.seat, fact.by, fact.key),
    SigningStopped: lambda match, fact: signing_keys.stop_signing(match, fact.seat, fact.by),
    PauseAsked: lambda match, fact: commands.ask_pause(match, fact.seat, fact.by),
    Paused: lambda match, fact: commands.pause(match, fact.by, fact.dispute),
    Resumed: repeat_resume,
    Voided: lambda match, fact: commands.void(match, fact.by, fact.reason),
    RulingGiven: ruling.check_ruling,
}
"""The command behind each fact that a player or official causes; for forks see `redo`."""

REPEAT_AT: Final[Mapping[type[Any], Callable[[Match, Any, datetime], Fact]]] = {
    SeatLeft: repeat_leave_seat,
    SeatReady: repeat_ready,
    ShareCommitted: repeat_commit_share,
    AbsenceAnnounced: lambda match, fact, at: absence_commands.announce_absence(
        match, fact.seat, fact.by, fact.first, fact.last, fact.declared, at=at
    ),
    AbsenceEnded: lambda match, fact, at: absence_commands.end_absence(match, fact.seat, fact.by, fact.declared, at=at),
    TimedOut: lambda match, fact, at: commands.time_out(match, fact.seat, fact.by, fact.bot, at=at),
}
"""The commands whose validity also depends on the time."""


def find_expected_fact(match: Match, fact: Fact, at: datetime, past: Past) -> Fact:
    """Return the fact expected in place of `fact`: a consequence of the position, or the repeated command.

    The result carries the verified signature if the fact has to be signed. Raise `LogFault` for a consequence that is
    not due.
    """
    if isinstance(fact, MatchForked):
        return repeat_fork(match, fact)
    consequence = next_consequence(match)
    if consequence is not None:
        return consequence
    require_freed(match, fact)
    if type(fact) not in REPEAT_AT and type(fact) not in REPEAT:
        raise LogFault(match.version + 1, "legality", f"{type(fact).__name__} cannot happen here")
    signed = signing.signature_of(fact) if signing.require_signed(match, fact, past) else None
    repeated = REPEAT_AT[type(fact)](match, fact, at) if type(fact) in REPEAT_AT else REPEAT[type(fact)](match, fact)
    return repeated if signed is None else signing.with_signature(repeated, signed)


def repeat_opening(title: AnyTitle, fact: MatchOpened) -> Fact:
    """Return the opening that the same arguments and the seed in the log give again; raise as `open_match`.

    A seed that is closed to the reader stays closed.
    """
    seed = bytes.fromhex(fact.seed.known_or(""))
    repeated = opening.open_match(
        title,
        seats=fact.seats,
        options=fact.options,
        table=fact.table,
        by=fact.by,
        seed=seed,
        format=fact.format,
        house=fact.house,
        paired=fact.paired,
    )
    return repeated if fact.seed.is_known else replace(repeated, seed=fact.seed)
