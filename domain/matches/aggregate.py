"""The match as it stands after an entry: an immutable value, and the questions asked of it."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

import msgspec

from domain.kernel.chance import hkdf_expand
from domain.kernel.rules import HOUSE, Seat
from domain.kernel.title import AnyTitle
from domain.matches.errors import MatchOver, NotRunning, NotSeated, RulesRetired, UnknownSeat
from domain.matches.facts import SERVICE, Actor, RulingGiven, Table, TimedOut, is_bot

Status = Literal["open", "running", "paused", "ended", "void", "superseded"]


class SeatInfo(msgspec.Struct, frozen=True):
    """Who sits there (`None`: nobody), ready or not; `share` is what the seat added to luck, once it is open."""

    actor: Actor | None = None
    ready: bool = False
    resigned: bool = False
    share: bytes | None = None
    share_commitment: str = ""
    taken_at_version: int = 0

    @property
    def is_bot(self) -> bool:
        return is_bot(self.actor)

    @property
    def is_person(self) -> bool:
        return self.actor is not None and not self.is_bot


class Origin(msgspec.Struct, frozen=True):
    """Where a fork comes from."""

    match_id: UUID
    version: int
    luck: str


class Result(msgspec.Struct, frozen=True):
    scores: tuple[int, ...]
    ranking: tuple[int, ...]


class Mark(msgspec.Struct, frozen=True):
    """A position that may be taken back to: the state after an entry."""

    version: int
    state: Any


class Turn(msgspec.Struct, frozen=True):
    """The run of entries of one seat that is still going on; the last mark is the present position."""

    seat: int | None = None
    marks: tuple[Mark, ...] = ()
    taken_back_count: int = 0


class Docket(msgspec.Struct, frozen=True):
    """What arbitration needs of a match: who ever sat there, the rulings, what holds it and what became of its line.

    `is_cut_short`: a ruling ended it before it was played to its end. `ruling` made this line the official one,
    `superseded_by` has taken its place; `dispute` is the one this line is a what-if of.
    """

    sat: tuple[Actor, ...] = ()
    rulings: tuple[RulingGiven, ...] = ()
    held_by: str = ""
    is_cut_short: bool = False
    ruling: str = ""
    superseded_by: UUID | None = None
    superseded_from: int = 0
    dispute: str = ""


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """A match after one of its entries. `seed` and `key` are `None` where the reader's log is redacted."""

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
    status: Status = "open"
    key: bytes | None = None
    state: Any = None
    action_counts: tuple[int, ...] = ()
    turn: Turn = Turn()
    pause_asked_by: tuple[int, ...] = ()
    pause_count: int = 0
    """How many pauses the players have agreed on."""
    timed_out: TimedOut | None = None
    resigned: tuple[int, ...] = ()
    started_version: int | None = None
    origin: Origin | None = None
    depth: int = 0
    """How many forks the line has come through."""
    result: Result | None = None
    docket: Docket = Docket()

    @property
    def title(self) -> str:
        return self.definition.name

    @property
    def head(self) -> str:
        """The digest of the last entry, in hex."""
        return self.head_digest.hex()

    @property
    def is_retired(self) -> bool:
        """Its version of the rules is played no more: it can be shown, not played on and not examined."""
        return not self.definition.is_played(self.rules_version)

    @property
    def is_over(self) -> bool:
        """The line has ended: nothing can be appended to it any more."""
        return self.status in ("ended", "void", "superseded")


def has_pauses_left(match: Match) -> bool:
    """Whether the players may agree on another pause."""
    allowed = match.table.pauses
    return allowed is msgspec.UNSET or match.pause_count < allowed


def pause_is_agreed(match: Match) -> bool:
    """Every person still playing has asked."""
    return bool(match.pause_asked_by) and all(
        seat in match.pause_asked_by for seat, info in enumerate(match.seats) if info.is_person and not info.resigned
    )


def seats_to_act(match: Match) -> tuple[Seat, ...]:
    """The seats that owe a decision now; none while the match is not running."""
    if match.status != "running" or match.is_retired:
        return ()
    return match.definition.rules.seats_to_act(match.state)


def legal_actions(match: Match, seat: int) -> tuple[Any, ...]:
    """Every legal action of the seat; none while the match is not running."""
    if match.status != "running" or match.is_retired:
        return ()
    return match.definition.rules.legal_actions(match.state, Seat(seat))


def view(match: Match, seat: int | None) -> Any:
    """What a seat, or with `None` a spectator, may see; `None` before the start, and when another line took over."""
    if match.state is None or match.status == "superseded":
        return None
    return match.definition.rules.view(match.state, None if seat is None else Seat(seat))


def seat_of(match: Match, actor: Actor) -> Seat | None:
    """The seat a person sits on."""
    for index, info in enumerate(match.seats):
        if info.actor == actor:
            return Seat(index)
    return None


def bot_seed(match: Match, seat: int) -> bytes:
    """What a bot's own choices at its next action come from: HKDF-Expand(key, `bot/SEAT/n`)."""
    assert match.key is not None
    return hkdf_expand(match.key, f"bot/{seat}/{match.action_counts[seat]}".encode())


def info_of(match: Match, seat: int) -> SeatInfo:
    """The seat, if the match has it."""
    if not 0 <= seat < len(match.seats):
        raise UnknownSeat(f"the match has no seat {seat}; its seats are 0 to {len(match.seats) - 1}")
    return match.seats[seat]


def require_actor(match: Match, seat: int, by: Actor) -> None:
    """Only the service acts for `HOUSE`, only the one who sits there for a seat."""
    holder = SERVICE if seat == HOUSE else info_of(match, seat).actor
    if holder != by:
        name = "the house" if seat == HOUSE else f"seat {seat}"
        raise NotSeated(f"{by!r} may not act for {name}")


def require_not_over(match: Match) -> None:
    if match.is_over:
        raise MatchOver(f"the match {match.id} is over ({match.status})")


def require_played_rules(match: Match) -> None:
    """Its version of the rules is still played here."""
    if match.is_retired:
        raise RulesRetired(
            f"the match {match.id} was opened under version {match.rules_version} of the rules of {match.title},"
            " which is played no more"
        )


def require_going_on(match: Match) -> None:
    """The match is not over, and its version of the rules is still played here."""
    require_not_over(match)
    require_played_rules(match)


def require_running(match: Match) -> None:
    """The match is being played now."""
    require_going_on(match)
    if match.status != "running":
        raise NotRunning(f"the match {match.id} is {match.status}, not running")
