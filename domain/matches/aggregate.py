"""The match as it stands after an entry: an immutable value, and the questions asked of it."""

from datetime import datetime
from typing import Any, Final, Literal
from uuid import UUID

import msgspec

from domain.kernel.chance import hkdf_expand
from domain.kernel.rules import HOUSE, Seat
from domain.kernel.title import AnyTitle
from domain.matches.errors import MatchOver, NotRunning, NotSeated, RulesRetired, UnknownSeat
from domain.matches.facts import SERVICE, Actor, RulingGiven, ShareBy, Standing, Table, TimedOut, is_bot
from domain.matches.play.absences import Absences
from domain.signatures.keys import NamedKey

PAUSE_PEOPLE_MIN: Final = 2
"""The fewest people who may pause a rated match."""

Status = Literal["open", "waiting", "running", "paused", "ended", "void", "superseded"]

RULED_ON: Final = "ruled on"
"""What holds a match whose dispute has been ruled on: nothing, so it goes on at once."""


HowLeft = Literal["", "timed_out", "resigned", "replaced", "handed_over"]
"""First way in which the starter of a seat left it or ran out of time; `handed_over`: to a bot, by their own order."""


class SeatInfo(msgspec.Struct, frozen=True, gc=False):
    """Who sits there (`None`: nobody), ready or not; `share` is what the seat added to luck, once it is open.

    What the service adds to the luck of a log of format 2 is no secret of its own: it follows from the seed.
    """

    actor: Actor | None = None
    ready: bool = False
    resigned: bool = False
    share: bytes | None = None
    share_by: ShareBy = "service"
    share_commitment: str = ""
    taken_at_version: int = 0
    standing: Standing = ""
    stands_in_for: Actor = ""
    """The entrant for whom a substitute plays here, or has played since the start."""
    awaited: bool = False
    """The service said that the seat was ready, because its player had not come."""
    keys: tuple[NamedKey, ...] = ()
    """With which the player signs; without any the seat is unsigned."""
    stopped_signing: bool = False
    """The player has said to go on unsigned."""

    @property
    def is_bot(self) -> bool:
        return is_bot(self.actor)

    @property
    def is_person(self) -> bool:
        return self.actor is not None and not self.is_bot


class Origin(msgspec.Struct, frozen=True, gc=False):
    """Where a fork comes from."""

    match_id: UUID
    version: int
    luck: str


class Result(msgspec.Struct, frozen=True, gc=False):
    scores: tuple[int, ...]
    ranking: tuple[int, ...]


class SeatClock(msgspec.Struct, frozen=True, gc=False):
    """A clock in whole microseconds: the time left at `since`, when it began to run; without `since` it is stopped.

    `acted`: the time left at each action of the current turn, by version. `kept_by` is the seat that has taken back the
    action which began this seat's turn: when the turn begins again, the clock continues with the same time.
    """

    left: int
    since: int | None = None
    acted: tuple[tuple[int, int], ...] = ()
    kept_by: int | None = None

    def at(self, now: int) -> int:
        """Return the time left at `now`."""
        return self.left if self.since is None else max(0, self.left - (now - self.since))


class Mark(msgspec.Struct, frozen=True, gc=False):
    """A position that may be taken back to: the state after an entry, or after one of the take-backs in `also`.

    In a log of format 3, `is_draft` is set if only the seat knows the choice that led here. `clocks` are the clocks of
    the position, and `until` is the time of the next action (microseconds).
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
    """The run of entries of one seat that is still going on; the last mark is the present position.

    What lies before entry `final_version` stays: the service has played for the seat.
    """

    seat: int | None = None
    marks: tuple[Mark, ...] = ()
    taken_back_count: int = 0
    final_version: int = 0

    def upto(self, version: int) -> tuple[Mark, ...]:
        """Return the marks up to the position after an entry; `LookupError` where that is none of them."""
        for index, mark in enumerate(self.marks):
            if version in mark.versions:
                return self.marks[: index + 1]
        raise LookupError(f"no position of this turn is that after entry {version}")


class Starter(msgspec.Struct, frozen=True, gc=False):
    """The player of a seat when the match started: the result is theirs, also if another plays on.

    `rounds`: in how many they have acted themselves, the last of which is `last_round`; None: in none yet. `awaited`:
    the match began without them; `left`: how they left it, if they have. `played`: a person has acted at the seat, the
    starter or another. `missed`: the last person seated there ran out of time, or the service put a bot in their place.
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
    """From an entry on somebody else played for a seat."""

    seat: int
    actor: Actor
    version: int


class Docket(msgspec.Struct, frozen=True, gc=False):
    """What arbitration needs of a match: who ever sat there, the rulings, what holds it and what became of its line.

    `is_cut_short`: a ruling ended it before it was played to its end. `ruling` made this line the official one,
    `superseded_by` has taken its place; `dispute` is the one this line is a what-if of. `held_since`:
    when the dispute that holds the match stopped its clocks; none where they stood already.
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
    format: int = 1
    """Of the log: in format 2 shares of luck are opened when the table is closed."""
    house: str = ""
    """The key of the service, where it signs."""
    paired: bool = False
    """Opened by the service for people who waited for one another: nobody is the opener."""
    closed: bool = False
    reopened: int = 0
    """How often somebody has left a closed table."""
    status: Status = "open"
    key: bytes | None = None
    state: Any = None
    action_counts: tuple[int, ...] = ()
    turn: Turn = Turn()
    absences: Absences = ()
    """In which clocks do not run; of all seats, in the order in which they were announced."""
    clocks: tuple[SeatClock, ...] = ()
    """By seat, from the start on; none where the table plays without, and in a redacted log."""
    pause_asked_by: tuple[int, ...] = ()
    pause_count: int = 0
    """How many pauses the players have agreed on."""
    pause_until: datetime | None = None
    """When the pause the players have agreed on is over."""
    full_since: datetime | None = None
    """Since when an open table waits for nobody but its players, to commit or to get ready: the last seat was taken,
    or the table was closed."""
    unready: tuple[Actor, ...] = ()
    """Whoever has let a full table wait in vain, once for every time."""
    absent: tuple[Actor, ...] = ()
    """Entrants of a tournament in whose place a bot sat down before the start."""
    timed_out: TimedOut | None = None
    resigned: tuple[int, ...] = ()
    gave_up: tuple[int, ...] = ()
    """Seats that resigned, or that their player handed over to a bot, the first first. A person whom an organiser seats
    there removes the seat."""
    started_version: int | None = None
    starters: tuple[Starter, ...] = ()
    handovers: tuple[Handover, ...] = ()
    origin: Origin | None = None
    practice: str = ""
    """What somebody learns by this match; "" for a match that is played for itself."""
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
    def is_demonstration(self) -> bool:
        """Opened by the service to be looked at: for nobody who was paired, and no event."""
        return self.opened_by == SERVICE and not self.paired and not self.table.event_id

    @property
    def is_listed_and_waits(self) -> bool:
        """Whether the lobby lists the table as waiting for players."""
        return self.status == "open" and self.table.is_listed

    @property
    def is_retired(self) -> bool:
        """Its version of the rules is played no more: it can be shown, not played on and not examined."""
        return not self.definition.is_played(self.rules_version)

    @property
    def is_fork(self) -> bool:
        """A match of its own that began as another stood; a line that a ruling made official is the match itself."""
        return self.origin is not None and not self.docket.ruling

    @property
    def is_over(self) -> bool:
        """The line has ended: nothing can be appended to it any more."""
        return self.status in ("ended", "void", "superseded")


def has_pauses_left(match: Match) -> bool:
    """Whether the players may agree on another pause."""
    allowed = match.table.pauses
    return allowed is msgspec.UNSET or match.pause_count < allowed


def pauses_alone(match: Match) -> bool:
    """Whether one person could pause the match without asking another, and may not, because it is rated."""
    people = sum(info.is_person and not info.resigned for info in match.seats)
    return match.table.rated and match.table.pause_seconds is not msgspec.UNSET and people < PAUSE_PEOPLE_MIN


def pause_is_agreed(match: Match) -> bool:
    """Every person still playing has asked, and they are enough."""
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
    """The entries of the seat's own turn to which it may take back, the oldest first; the number of times apart."""
    turn = match.turn
    if turn.seat != seat:
        return ()
    return tuple(version for mark in turn.marks[:-1] if mark.version >= turn.final_version for version in mark.versions)


def open_take_backs(match: Match, seat: int) -> tuple[int, ...]:
    """Return the entries to which the seat may take back now, the oldest first."""
    is_open = match.status == "running" and match.turn.taken_back_count < match.table.take_backs
    return take_back_versions(match, seat) if is_open else ()


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
        name = "the service" if seat == HOUSE else f"seat {seat}"
        raise NotSeated(f"{by!r} may not act for {name}")


def is_gathering(match: Match) -> bool:
    """Its players are still to come, or their shares of luck are."""
    return match.status in ("open", "waiting")


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
    if match.status == "running" and not match.is_retired:
        return
    require_going_on(match)
    raise NotRunning(f"the match {match.id} is {match.status}, not running")
