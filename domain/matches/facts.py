"""The facts of a match: the tagged union in the bodies of log entries (DESIGN §3)."""

from typing import Annotated, Any, Final, Generic, Literal, TypeVar

import msgspec

from domain.kernel.chance import Draw
from domain.kernel.hidden import Hidden
from domain.kernel.values import Value
from domain.matches.fact_base import Authority, MatchFact, ReplacedFor, SignedAction
from domain.matches.play.absences import DAYS_MAX, AbsenceAnnounced, AbsenceEnded
from domain.matches.rulings.measures import Measure
from domain.signatures.keys import NamedKey

A = TypeVar("A")
E = TypeVar("E")

Actor = str
"""An actor: an opaque person id, the id of a local guest, `bot:NAME@VERSION` or `service`."""

SERVICE: Final[Actor] = "service"
LOCAL: Final = "local-"

ClockKind = Literal["none", "per_move", "increment", "correspondence"]
TimeOutPolicy = Literal["bot", "resign", "skip"]
Luck = Literal["same", "fresh"]
ShareBy = Literal["client", "service", "awaited"]
"""Source of a seat's share of luck: its player, the service, or a player who has not committed yet."""

FormatNumber = Annotated[int, msgspec.Meta(ge=1)]
FORMAT: Final[FormatNumber] = 3
"""Format of new logs; `docs/specifications/log.md` lists the changes of each format."""

Standing = Literal["", "provisional", "guest", "bot"]
"""Account of the player at the start: regular (""), under a day old, a guest without account, or a bot account."""


class Clock(Value, frozen=True):
    """Time control of a table: `seconds` per move, in total, or per correspondence turn; `increment` in seconds."""

    kind: ClockKind = "none"
    seconds: Annotated[int, msgspec.Meta(ge=0, le=31_536_000)] = 0
    increment: Annotated[int, msgspec.Meta(ge=0, le=86_400)] = 0


def is_live(clock: Clock) -> bool:
    """Return whether the clock requires all players to be present at once."""
    return clock.kind in ("per_move", "increment")


class Table(Value, frozen=True):
    """The options of a table, in addition to its title's options (DESIGN §6)."""

    clock: Clock = Clock()
    time_out: TimeOutPolicy = "bot"
    take_backs: Annotated[int, msgspec.Meta(ge=0, le=100)] = 3
    public: bool = True
    rated: bool = False
    pause_on_dispute: bool | msgspec.UnsetType = msgspec.UNSET
    """Whether an open dispute pauses the match and its clocks."""
    event: str | msgspec.UnsetType = msgspec.UNSET
    """The tournament or league of the match; only the service opens such a table."""
    pauses: Annotated[int, msgspec.Meta(ge=0, le=100)] | msgspec.UnsetType = msgspec.UNSET
    """Maximum number of pauses by agreement; unset: unlimited."""
    pause_seconds: Annotated[int, msgspec.Meta(ge=60, le=31_536_000)] | msgspec.UnsetType = msgspec.UNSET
    """Maximum length of a pause. Unset in older logs: unlimited, and a single seat can pause a rated match."""
    resigning: bool | msgspec.UnsetType = msgspec.UNSET
    """Whether players may resign; if False, a bot replaces a player who leaves. Unset: they may."""
    listed: bool | msgspec.UnsetType = msgspec.UNSET
    """Whether a public table is listed; an unlisted one is reached by its address. Unset: listed."""
    public_once_started: bool | msgspec.UnsetType = msgspec.UNSET
    """Whether a private table becomes public at the start, as rated ones do; unset in older logs: it does not."""
    leaving_max: Annotated[int, msgspec.Meta(ge=0, le=100)] | msgspec.UnsetType = msgspec.UNSET
    """Maximum share (per cent) of their last fifty matches that players here may have abandoned. Unset: any."""
    wait_seconds: Annotated[int, msgspec.Meta(ge=1, le=2_592_000)] | msgspec.UnsetType = msgspec.UNSET
    """Seconds that a full event table waits for commitments before the service steps in. Unset in older logs."""
    signed: bool | msgspec.UnsetType = msgspec.UNSET
    """Whether every player must sign. Unset: players who have a key sign."""
    programs: bool | msgspec.UnsetType = msgspec.UNSET
    """Whether bot accounts may take seats. Unset: they may not."""
    talk: bool | msgspec.UnsetType = msgspec.UNSET
    """Whether the table has a chat. Unset: it has."""
    hints: bool | msgspec.UnsetType = msgspec.UNSET
    """Whether the only person at the table may ask for hints. Unset: no hints."""
    one_device: bool | msgspec.UnsetType = msgspec.UNSET
    """Whether local guests play on one shared device (`domain.matches.seats.one_device`). Unset: no."""
    absence_days: Annotated[int, msgspec.Meta(ge=0, le=DAYS_MAX)] | msgspec.UnsetType = msgspec.UNSET
    """Days of absence of a seat in a correspondence match, in total; unset: `DAYS_MAX`."""

    @property
    def is_listed(self) -> bool:
        """Whether the table is listed publicly."""
        return self.public and self.listed is not False

    @property
    def counts(self) -> bool:
        """Whether the match is rated or belongs to an event."""
        return self.rated or bool(self.event_id)

    @property
    def is_silent(self) -> bool:
        """Whether the table has no chat."""
        return self.talk is False or self.is_one_device

    @property
    def is_one_device(self) -> bool:
        """Whether the table is played on one shared device."""
        return self.one_device is True

    @property
    def has_hints(self) -> bool:
        """Whether the table offers hints."""
        return self.hints is True

    @property
    def event_id(self) -> str:
        """The id of the event, or ""."""
        return "" if self.event is msgspec.UNSET else self.event


class MatchOpened(MatchFact, frozen=True):
    """A table was opened; `data` is the digest of the component data, `seed` the secret server seed (hex)."""

    by: Actor
    title: str
    rules_version: int
    data: str
    options: dict[str, str]
    seats: int
    table: Table
    seed: Hidden[str]
    format: FormatNumber = 1
    house: str = ""
    """The public key (hex) of the service, if it signs its own actions."""
    paired: bool = False
    """The service opened the table for players from the waiting list; it has no opener."""


class SeatTaken(MatchFact, frozen=True, kw_only=True):
    """`by` took the seat; with `share_by` = `client` committed to a share of luck (`domain.matches.seats.luck_shares`).

    In format 1 the commitment was `share` (hex), opened when the seat got ready. If a client made the share, the log
    never holds its opening here.
    """

    seat: int
    by: Actor
    share: Hidden[str] | None = None
    share_by: ShareBy
    stands_in_for: Actor = ""
    """The entrant who owns the seat, if a substitute plays."""
    commitment: str = ""
    keys: tuple[NamedKey, ...] = ()
    """The player's signing keys; without keys the seat is unsigned."""


class KeyNamed(MatchFact, frozen=True):
    """The player of the seat added a signing key."""

    seat: int
    by: Actor
    key: NamedKey


class SigningStopped(MatchFact, frozen=True):
    """The seat continues unsigned; since format 3 this is signed with one of its keys, or done by the service."""

    seat: int
    by: Actor


class ShareCommitted(MatchFact, frozen=True):
    """The seat committed to a share of luck, or left it to the service; the service does so for a late player."""

    seat: int
    by: Actor
    share_by: ShareBy
    commitment: str = ""


class TableClosed(MatchFact, frozen=True):
    """All shares are committed and can be opened; a player who leaves now reopens the table."""

    by: Actor


class TableReopened(MatchFact, frozen=True):
    """A player left a closed table: all shares are void, and the luck has a new secret `seed` (hex)."""

    by: Actor
    seed: Hidden[str]


class SeatLeft(MatchFact, frozen=True):
    """The seat is free again; `unready`: the player left or was removed after keeping a full table waiting."""

    seat: int
    by: Actor
    unready: bool = False


class SeatReady(MatchFact, frozen=True):
    """The seat is ready and opens its share (hex), if it committed to one.

    Done by the service for a late player whose seat is not freed; the share is then the service's. In format 1 the
    commitment of `SeatTaken` is SHA-256(salt ‖ JSON of share), for shares of players and of the service.
    """

    seat: int
    by: Actor
    share: str | msgspec.UnsetType = msgspec.UNSET
    salt: str | msgspec.UnsetType = msgspec.UNSET
    standing: Standing = ""


class MatchStarted(MatchFact, Generic[E], frozen=True):
    """The match started; `provisional`, `guests` and `programs` (bot accounts) are seats with that standing."""

    effects: tuple[E, ...]
    draws: tuple[Draw, ...] = ()
    provisional: tuple[int, ...] = ()
    guests: tuple[int, ...] = ()
    programs: tuple[int, ...] = ()


class ActionTaken(MatchFact, Generic[A, E], frozen=True):
    """An action with its effects; a secret one is in `hidden_action`, or in `hidden_act` if it is signed."""

    seat: int
    by: Actor
    effects: tuple[E, ...]
    draws: tuple[Draw, ...] = ()
    action: A | None = None
    hidden_action: Hidden[A] | None = None
    hidden_act: Hidden[SignedAction[A]] | None = None
    reveals: bool = False
    """Whether the entry reveals hidden information, so that neither it nor an earlier action can be taken back."""


class TakenBack(MatchFact, frozen=True):
    """The state after `to_version` was restored."""

    seat: int
    by: Actor
    to_version: int


class Resigned(MatchFact, frozen=True):
    """The seat resigned."""

    seat: int
    by: Actor


class SeatReplaced(MatchFact, frozen=True):
    """`actor` took over the seat; `stands_in_for` is the entrant if an organiser named a substitute."""

    seat: int
    by: Actor
    actor: Actor
    stands_in_for: Actor = ""
    keys: tuple[NamedKey, ...] = ()
    reason: ReplacedFor = ""
    """Why the service replaced the player; since format 3."""


class TimedOut(MatchFact, frozen=True):
    """The seat ran out of time; the table's policy applies next. `bot` is the replacement, if any."""

    seat: int
    by: Actor
    policy: TimeOutPolicy
    bot: Actor | None = None


class PauseAsked(MatchFact, frozen=True):
    """The seat asked for a pause."""

    seat: int
    by: Actor


class Paused(MatchFact, frozen=True):
    """The match was paused; with `dispute` until an arbiter has ruled on it."""

    by: Actor
    dispute: str = ""


class Resumed(MatchFact, frozen=True):
    """The match was resumed.

    The paused time counts against `charged`, the seat whose dispute was withdrawn. In a running match `withdrawn` is
    the seat that cancelled its pause request.
    """

    by: Actor
    charged: int | None = None
    withdrawn: int | None = None


class Voided(MatchFact, frozen=True):
    """The match was voided."""

    by: Actor
    reason: str = ""


class MatchForked(MatchFact, frozen=True):
    """The match was forked from `parent` after entry `at`; with fresh luck it has a separate `seed`.

    With `ruling` it replaces its parent as the official line, and `clocks` are the milliseconds left to each seat. With
    `dispute` it is an arbiter's what-if, visible to the arbiters of that dispute only. It starts when the seats in
    `awaits` have brought their shares of fresh luck. `practice` describes a private practice match without a result.
    """

    parent: str
    at: int
    luck: Luck
    by: Actor
    seats: tuple[Actor | None, ...]
    seed: Hidden[str] | None = None
    ruling: str = ""
    clocks: tuple[int, ...] = ()
    dispute: str = ""
    format: FormatNumber = 1
    awaits: tuple[int, ...] = ()
    practice: str = ""


class RulingGiven(MatchFact, frozen=True):
    """An arbiter ruled on a dispute about entry `at`; on appeal of `appeal_of`, possibly confirming it (`upheld`)."""

    ruling: str
    dispute: str
    by: Actor
    at: int
    rule: str
    reasons: str
    measures: tuple[Measure, ...] = ()
    appeal_of: str = ""
    upheld: bool = False
    authority: Authority = ""


class MatchEnded(MatchFact, frozen=True):
    """The match ended with these points and places by seat; resigned seats are last."""

    scores: tuple[int, ...]
    ranking: tuple[int, ...]


Fact = (
    MatchOpened
    | SeatTaken
    | SeatLeft
    | KeyNamed
    | SigningStopped
    | ShareCommitted
    | TableClosed
    | TableReopened
    | SeatReady
    | MatchStarted[Any]
    | ActionTaken[Any, Any]
    | TakenBack
    | Resigned
    | SeatReplaced
    | AbsenceAnnounced
    | AbsenceEnded
    | TimedOut
    | PauseAsked
    | Paused
    | Resumed
    | Voided
    | MatchForked
    | RulingGiven
    | MatchEnded
)


def action_of(fact: ActionTaken[A, Any]) -> A | None:
    """Return the action taken, or None if it is hidden from the reader."""
    if fact.hidden_act is not None:
        signed_action = fact.hidden_act.known_or(None)
        return None if signed_action is None else signed_action.action
    if fact.hidden_action is None:
        return fact.action
    return fact.hidden_action.known_or(None)


def is_local(actor: Actor | None) -> bool:
    """Return whether the actor is a local guest: a name at one table on one device, without an account."""
    return actor is not None and actor.startswith(LOCAL)


def is_bot(actor: Actor | None) -> bool:
    """Return whether the actor is a bot."""
    return actor is not None and actor.startswith("bot:")
