"""The immutable state of a match after an entry, and queries on it."""

from datetime import datetime
from typing import Any, Final, Literal
from uuid import UUID

import msgspec

from domain.kernel.chance import hkdf_expand
from domain.kernel.rules import SERVICE_SEAT, Seat
from domain.kernel.title import AnyTitle
from domain.matches.errors import MatchOver, NotRunning, NotSeated, RulesRetired, UnknownSeat
from domain.matches.facts import SERVICE, Actor, RulingGiven, ShareBy, Standing, Table, TimedOut, is_bot
from domain.matches.play.absences import Absences, EndedAbsence
from domain.signatures.keys import NamedKey

PAUSE_PEOPLE_MIN: Final = 2
"""Minimum number of people who can pause a rated match."""

Status = Literal["open", "waiting", "running", "paused", "ended", "void", "superseded"]

RULED_ON: Final = "ruled on"
"""`Docket.held_by` once the dispute has been ruled on; the match then resumes at once."""


HowLeft = Literal["", "timed_out", "resigned", "replaced", "handed_over"]
"""How the starter of a seat first left it or ran out of time; `handed_over`: to a bot, by their own choice."""


class SeatInfo(msgspec.Struct, frozen=True, gc=False):
    """A seat and its player (`None`: empty); `share` is the seat's opened share of luck."""

    actor: Actor | None = None
    ready: bool = False
    resigned: bool = False
    share: bytes | None = None
    share_by: ShareBy = "service"
    share_commitment: str = ""
    taken_at_version: int = 0
    standing: Standing = ""
    stands_in_for: Actor = ""
    """The entrant for whom a substitute plays or has played here."""
    awaited: bool = False
    """The service marked the seat as ready because its player did not join."""
    keys: tuple[NamedKey, ...] = ()
    """The player's signing keys; without keys the seat is unsigned."""
    stopped_signing: bool = False
    """The player chose to continue unsigned."""

    @property
    def is_bot(self) -> bool:
        """Whether a bot holds the seat."""
        return is_bot(self.actor)

    @property
    def is_person(self) -> bool:
        """Whether a person holds the seat."""
        return self.actor is not None and not self.is_bot


class Origin(msgspec.Struct, frozen=True, gc=False):
    """The parent and position of a fork."""

    match_id: UUID
    version: int
    luck: str


class Result(msgspec.Struct, frozen=True, gc=False):
    """The points and places of a match, by seat."""

    scores: tuple[int, ...]
    ranking: tuple[int, ...]


class SeatClock(msgspec.Struct, frozen=True, gc=False):
    """A clock in whole microseconds: the time left at `since`, when it started; without `since` it is stopped.

    `acted` is the time left at each action of the current turn, by version. `kept_by` is the seat whose take-back undid
    the action that began this seat's turn: when the turn begins again, the clock continues with the same time.
    """

    left: int
    since: int | None = None
    acted: tuple[tuple[int, int], ...] = ()
    kept_by: int | None = None

    def at(self, now: int) -> int:
        """Return the time left at `now`."""
        return self.left if self.since is None else max(0, self.left - (now - self.since))


class TakeBackPosition(msgspec.Struct, frozen=True, gc=False):
    """A position to which a player may take back: the state after an entry, or after a take-back in `also`.

    In log format 3, `is_draft` is set if only the seat knows the choice that led here. `clocks` are the clocks of the
    position, and `until` is the time of the next action (microseconds).
    """

    version: int
    state: Any
    also: tuple[int, ...] = ()
    is_draft: bool = False
    clocks: tuple[SeatClock, ...] = ()
    until: int = 0

    @property
    def versions(self) -> tuple[int, ...]:
        """The versions of the entries that led to this position, in order."""
        return (self.version, *self.also)


class Turn(msgspec.Struct, frozen=True, gc=False):
    """The current run of entries by one seat; the last mark is the current position.

    Positions before entry `final_version` cannot be restored: the service has played for the seat.
    """

    seat: int | None = None
    marks: tuple[TakeBackPosition, ...] = ()
    taken_back_count: int = 0
    final_version: int = 0

    def upto(self, version: int) -> tuple[TakeBackPosition, ...]:
        """Return the marks up to and including the position after an entry; raise `LookupError` without such a mark."""
        for index, position in enumerate(self.marks):
            if version in position.versions:
                return self.marks[: index + 1]
        raise LookupError(f"this turn has no position after entry {version}")


class Starter(msgspec.Struct, frozen=True, gc=False):
    """The player of a seat when the match started, to whom the result belongs even if another player replaces them.

    `rounds` counts the rounds in which they acted, `last_round` is the latest one. `awaited`: the match began without
    them. `left`: how they left. `played`: a person has acted at the seat. `missed`: the last person there ran out of
    time, or the service replaced them with a bot.
    """

    actor: Actor | None
    standing: Standing = ""
    rounds: int = 0
    last_round: int | None = None
    awaited: bool = False
    left: HowLeft = ""
    played: bool = False
    missed: bool = False


class Handover(msgspec.Struct, frozen=True, gc=False):
    """A change of the player of a seat, from an entry on."""

    seat: int
    actor: Actor
    version: int


class ArbitrationState(msgspec.Struct, frozen=True, gc=False):
    """Arbitration data of a match: people who have sat there, rulings, the current hold and the status of its line.

    `is_cut_short`: a ruling ended it early. `ruling` made this line the official one; `superseded_by` replaced it.
    `dispute`: this line is a what-if for that dispute. `held_since`: when the current dispute stopped the clocks; None
    if they were stopped already.
    """

    sat: tuple[Actor, ...] = ()
    rulings: tuple[RulingGiven, ...] = ()
    held_by: str = ""
    held_since: datetime | None = None
    is_cut_short: bool = False
    ruling: str = ""
    superseded_by: UUID | None = None
    superseded_from: int = 0
    dispute: str = ""
    paused_for: tuple[str, ...] = ()
    """The disputes that have paused the match."""


class Match(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A match after one of its entries; `seed` and `key` are `None` in a redacted log."""

    id: UUID
    definition: AnyTitle
    version: int
    timestamp: datetime
    head_digest: bytes
    opened_by: Actor
    rules_version: int
    data_digest: str
    options: dict[str, str]
    table: Table
    seats: tuple[SeatInfo, ...]
    seed: bytes | None
    luck_id: UUID
    format: int = 1
    """Format of the log; from format 2 on, shares of luck are opened only after the table is closed."""
    house: str = ""
    """The public key (hex) of the service, if it signs."""
    paired: bool = False
    """The service opened the table for players from the waiting list; it has no opener."""
    closed: bool = False
    reopened: int = 0
    """How many times players have left a closed table."""
    status: Status = "open"
    key: bytes | None = None
    state: Any = None
    action_counts: tuple[int, ...] = ()
    turn: Turn = Turn()
    absences: Absences = ()
    ended_absences: tuple[EndedAbsence, ...] = ()
    """Periods in which clocks stop, in the order of announcement; as announced, those that were ended early."""
    clocks: tuple[SeatClock, ...] = ()
    """Clocks by seat since the start; empty without a clock and in a redacted log."""
    pause_asked_by: tuple[int, ...] = ()
    pause_count: int = 0
    pause_until: datetime | None = None
    """The number of pauses the players have agreed on, and when the current one ends."""
    full_since: datetime | None = None
    """When an open table began to wait only for its players: all seats taken, or later the table closed."""
    unready: tuple[Actor, ...] = ()
    """Players who kept a full table waiting, once per occurrence."""
    absent: tuple[Actor, ...] = ()
    """Entrants of a tournament who were replaced by a bot before the start."""
    timed_out: TimedOut | None = None
    resigned: tuple[int, ...] = ()
    gave_up: tuple[int, ...] = ()
    """Seats that resigned or were handed to a bot by their player, in order; reset when a person takes over."""
    started_version: int | None = None
    starters: tuple[Starter, ...] = ()
    handovers: tuple[Handover, ...] = ()
    taken_over: tuple[int, ...] = ()
    """The entries by which the service gave a seat to another player without an explanation; never rated."""
    origin: Origin | None = None
    practice: str = ""
    """The subject of a practice match; "" for any other match."""
    depth: int = 0
    """The number of forks between the original match and this line."""
    result: Result | None = None
    docket: ArbitrationState = ArbitrationState()

    @property
    def title(self) -> str:
        """The name of the title."""
        return self.definition.name

    @property
    def head(self) -> str:
        """The digest of the last entry, in hex."""
        return self.head_digest.hex()

    @property
    def is_demonstration(self) -> bool:
        """Whether the service opened the match as a demonstration, neither for paired players nor for an event."""
        return self.opened_by == SERVICE and not self.paired and not self.table.event_id

    @property
    def is_listed_and_waits(self) -> bool:
        """Whether the lobby lists the table as waiting for players."""
        return self.status == "open" and self.table.is_listed

    @property
    def is_retired(self) -> bool:
        """Whether its version of the rules is retired: it can be shown, but not continued or audited."""
        return not self.definition.is_played(self.rules_version)

    @property
    def is_fork(self) -> bool:
        """Whether the match is a fork that no ruling made official."""
        return self.origin is not None and not self.docket.ruling

    @property
    def is_over(self) -> bool:
        """Whether the line has ended, so that nothing can be appended."""
        return self.status in ("ended", "void", "superseded")


def has_pauses_left(match: Match) -> bool:
    """Return whether the players may agree on another pause."""
    allowed = match.table.pauses
    return allowed is msgspec.UNSET or match.pause_count < allowed


def pauses_alone(match: Match) -> bool:
    """Return whether too few people are left at a rated match for its players to pause it."""
    people = sum(info.is_person and not info.resigned for info in match.seats)
    return match.table.rated and match.table.pause_seconds is not msgspec.UNSET and people < PAUSE_PEOPLE_MIN


def pause_is_agreed(match: Match) -> bool:
    """Return whether all people still playing, at least one, asked for a pause, and enough are left if it is rated."""
    return (
        bool(match.pause_asked_by)
        and all(
            seat in match.pause_asked_by
            for seat, info in enumerate(match.seats)
            if info.is_person and not info.resigned
        )
        and not pauses_alone(match)
    )


def take_back_versions(match: Match, seat: int) -> tuple[int, ...]:
    """Return the versions in the seat's turn since the last revelation, to which it may take back, oldest first.

    The number of take-backs that the table allows is not considered; `()` during another seat's turn.
    """
    turn = match.turn
    if turn.seat != seat:
        return ()
    return tuple(version for each in turn.marks[:-1] if each.version >= turn.final_version for version in each.versions)


def open_take_backs(match: Match, seat: int) -> tuple[int, ...]:
    """Return the entries to which the seat may take back now, the oldest first."""
    is_open = match.status == "running" and match.turn.taken_back_count < match.table.take_backs
    return take_back_versions(match, seat) if is_open else ()


def seats_to_act(match: Match) -> tuple[Seat, ...]:
    """Return the seats that owe a decision; empty unless the match is running under rules that are not retired."""
    if match.status != "running" or match.is_retired:
        return ()
    return match.definition.rules.seats_to_act(match.state)


def legal_actions(match: Match, seat: int) -> tuple[Any, ...]:
    """Return the legal actions of a seat; empty unless the match is running under rules that are not retired."""
    if match.status != "running" or match.is_retired:
        return ()
    return match.definition.rules.legal_actions(match.state, Seat(seat))


def view(match: Match, seat: int | None) -> Any:
    """Return the view of a seat or (`None`) spectator; None before the start and once the line is superseded."""
    if match.state is None or match.status == "superseded":
        return None
    return match.definition.rules.view(match.state, None if seat is None else Seat(seat))


def seat_of(match: Match, actor: Actor) -> Seat | None:
    """Return the first seat of a person or bot, or None."""
    for index, info in enumerate(match.seats):
        if info.actor == actor:
            return Seat(index)
    return None


def bot_seed(match: Match, seat: int) -> bytes:
    """Return the seed for a bot's next action: HKDF-Expand(key, `bot/SEAT/n`)."""
    assert match.key is not None
    return hkdf_expand(match.key, f"bot/{seat}/{match.action_counts[seat]}".encode())


def info_of(match: Match, seat: int) -> SeatInfo:
    """Return a seat; raise `UnknownSeat` if the match does not have it."""
    if not 0 <= seat < len(match.seats):
        raise UnknownSeat(f"the match has no seat {seat}; its seats are 0 to {len(match.seats) - 1}")
    return match.seats[seat]


def require_actor(match: Match, seat: int, by: Actor) -> None:
    """Raise `NotSeated` unless `by` plays the seat, or is the service for `SERVICE_SEAT`; or `UnknownSeat`."""
    holder = SERVICE if seat == SERVICE_SEAT else info_of(match, seat).actor
    if holder != by:
        name = "the service" if seat == SERVICE_SEAT else f"seat {seat}"
        raise NotSeated(f"{by!r} may not act for {name}")


def is_gathering(match: Match) -> bool:
    """Return whether the match still waits for players or for their shares of luck."""
    return match.status in ("open", "waiting")


def require_not_over(match: Match) -> None:
    """Raise `MatchOver` if the match is over."""
    if match.is_over:
        raise MatchOver(f"match {match.id} is over ({match.status})")


def require_played_rules(match: Match) -> None:
    """Raise `RulesRetired` if the version of the rules is retired."""
    if match.is_retired:
        raise RulesRetired(
            f"match {match.id} uses version {match.rules_version} of the rules of {match.title},"
            " which is no longer supported"
        )


def require_playable(match: Match) -> None:
    """Raise `MatchOver` for a match that is over, `RulesRetired` for one with retired rules."""
    require_not_over(match)
    require_played_rules(match)


def require_running(match: Match) -> None:
    """Raise `MatchOver`, `RulesRetired` or (open, waiting or paused) `NotRunning` unless the match is running."""
    if match.status == "running" and not match.is_retired:
        return
    require_playable(match)
    raise NotRunning(f"match {match.id} is {match.status}, not running")
