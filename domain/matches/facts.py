"""What happens to a match: the tagged union every entry's body holds one of (DESIGN §3)."""

from typing import Annotated, Any, Final, Generic, Literal, TypeVar

import msgspec

from domain.kernel.chance import Draw
from domain.kernel.hidden import Hidden
from domain.kernel.values import Value
from domain.matches.fact_base import Authority, Happening, ReplacedFor, SignedAction
from domain.matches.play.absences import AbsenceAnnounced, AbsenceEnded
from domain.matches.rulings.measures import Measure
from domain.signatures.keys import NamedKey

A = TypeVar("A")
E = TypeVar("E")

Actor = str
"""Who did it: an opaque person id, that of a local guest, `bot:NAME@VERSION` or `service`."""

SERVICE: Final[Actor] = "service"
LOCAL: Final = "local-"

ClockKind = Literal["none", "per_move", "increment", "correspondence"]
TimeOutPolicy = Literal["bot", "resign", "skip"]
Luck = Literal["same", "fresh"]
ShareBy = Literal["client", "service", "awaited"]
"""Who makes a seat's share of luck: its player, the service, or its player who has not committed to one yet."""

FormatNumber = Annotated[int, msgspec.Meta(ge=1)]
FORMAT: Final[FormatNumber] = 3
"""Format of the logs that are written now; `docs/specifications/log.md` lists the changes of each format."""

Standing = Literal["", "provisional", "guest", "bot"]
"""What the service knew of a player when the match started: signed up less than a day ago, or without an account."""


class Clock(Value, frozen=True):
    """How long a seat may think: `seconds` per move, as a budget or per correspondence move; `increment` a move."""

    kind: ClockKind = "none"
    seconds: Annotated[int, msgspec.Meta(ge=0, le=31_536_000)] = 0
    increment: Annotated[int, msgspec.Meta(ge=0, le=86_400)] = 0


def is_live(clock: Clock) -> bool:
    """The players sit there at the same time."""
    return clock.kind in ("per_move", "increment")


class Table(Value, frozen=True):
    """What the table asks for beside the title's own options (DESIGN §6)."""

    clock: Clock = Clock()
    time_out: TimeOutPolicy = "bot"
    take_backs: Annotated[int, msgspec.Meta(ge=0, le=100)] = 3
    public: bool = True
    rated: bool = False
    pause_on_dispute: bool | msgspec.UnsetType = msgspec.UNSET
    """Whether the match, and with it every clock, stands still while a dispute about it is open."""
    event: str | msgspec.UnsetType = msgspec.UNSET
    """The tournament or league the match belongs to; only the service opens such a table."""
    pauses: Annotated[int, msgspec.Meta(ge=0, le=100)] | msgspec.UnsetType = msgspec.UNSET
    """So often the people who play may agree on a pause; unset: as often as they like."""
    pause_seconds: Annotated[int, msgspec.Meta(ge=60, le=31_536_000)] | msgspec.UnsetType = msgspec.UNSET
    """So long at most. Unset, as at tables of earlier days: without end, and one seat alone may pause if rated."""
    resigning: bool | msgspec.UnsetType = msgspec.UNSET
    """Whether a player may give up; where that is not wanted, a bot plays on for a player who leaves. Unset: it is."""
    listed: bool | msgspec.UnsetType = msgspec.UNSET
    """Whether a public table stands in the lists; one that does not is found by its address. Unset: it does."""
    public_once_started: bool | msgspec.UnsetType = msgspec.UNSET
    """Whether a private table is public from the start of its match on, as rated ones are; the service says it. Unset:
    it stays private, as rated ones of earlier days do."""
    leaving_max: Annotated[int, msgspec.Meta(ge=0, le=100)] | msgspec.UnsetType = msgspec.UNSET
    """The share (per cent) of their last fifty matches that people who sit down here have left, at most. Unset: any."""
    wait_seconds: Annotated[int, msgspec.Meta(ge=1, le=2_592_000)] | msgspec.UnsetType = msgspec.UNSET
    """At a table of an event: so long, once all are seated, it waits for its players to bring their shares of luck;
    then the service's stand in. Unset, as at tables of earlier days: the log does not say."""
    signed: bool | msgspec.UnsetType = msgspec.UNSET
    """Whether everybody signs what they do. Unset: whoever has a key does."""
    programs: bool | msgspec.UnsetType = msgspec.UNSET
    """Whether accounts of bots may sit down. Unset: they may not."""
    talk: bool | msgspec.UnsetType = msgspec.UNSET
    """Whether people talk at the table. Unset: they do."""
    hints: bool | msgspec.UnsetType = msgspec.UNSET
    """Whether the one person at the table may ask what the service would do. Unset: nobody may."""
    one_device: bool | msgspec.UnsetType = msgspec.UNSET
    """Whether local guests play here, who pass one device round (`domain.matches.seats.one_device`). Unset:
    they do not."""

    @property
    def is_listed(self) -> bool:
        """Whether anybody finds the table without its address."""
        return self.public and self.listed is not False

    @property
    def counts(self) -> bool:
        """Whether the result matters beyond the table: the match is rated, or belongs to an event."""
        return self.rated or bool(self.event_id)

    @property
    def is_silent(self) -> bool:
        return self.talk is False or self.is_one_device

    @property
    def is_one_device(self) -> bool:
        return self.one_device is True

    @property
    def has_hints(self) -> bool:
        return self.hints is True

    @property
    def event_id(self) -> str:
        """The event's id; empty where the table stands for itself."""
        return "" if self.event is msgspec.UNSET else self.event


class MatchOpened(Happening, frozen=True):
    """A table was opened; `data` is the digest of the component data, `seed` the server seed (hex) nobody may see."""

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
    """The key (hex) of the service, where it signs what it does by itself."""
    paired: bool = False
    """The service has opened the table for people who waited for one another, and nobody is its opener."""


class SeatTaken(Happening, frozen=True, kw_only=True):
    """`by` sat down; with `share_by` = `client` committed to a share of luck, see `domain.matches.seats.sharing`.

    In format 1 the commitment was `share` (hex), revealed when the seat was ready; if a client had made it, the log
    never holds its opening here.
    """

    seat: int
    by: Actor
    share: Hidden[str] | None = None
    share_by: ShareBy
    stands_in_for: Actor = ""
    """The entrant of a tournament or league whose seat it is, where a substitute plays."""
    commitment: str = ""
    keys: tuple[NamedKey, ...] = ()
    """With which the seat signs; without any it is unsigned."""


class KeyNamed(Happening, frozen=True):
    """The player of the seat signs with one more key from now on."""

    seat: int
    by: Actor
    key: NamedKey


class SigningStopped(Happening, frozen=True):
    """The player of the seat continues unsigned; since format 3 signed with one of its keys, or by the service."""

    seat: int
    by: Actor


class ShareCommitted(Happening, frozen=True):
    """The seat commits to a share of luck before the table is closed, or leaves it to the service to make one.

    By the service where a player did not come in time whose seat is not freed.
    """

    seat: int
    by: Actor
    share_by: ShareBy
    commitment: str = ""


class TableClosed(Happening, frozen=True):
    """Every seat is taken and every share fixed: from now on shares are opened, and whoever leaves opens the table
    again."""

    by: Actor


class TableReopened(Happening, frozen=True):
    """Somebody has left a closed table: all shares are void, and the luck has a new `seed` (hex) nobody may see."""

    by: Actor
    seed: Hidden[str]


class SeatLeft(Happening, frozen=True):
    """The seat is free again; `unready`: the table was full, and the others have waited for this player in vain."""

    seat: int
    by: Actor
    unready: bool = False


class SeatReady(Happening, frozen=True):
    """The seat is ready and opens its share (hex), if it has committed to one.

    By the service where a player did not come in time whose seat is not freed: the share is the service's. In format 1:
    SHA-256(salt ‖ JSON of share) is the commitment of `SeatTaken`, whoever made the share.
    """

    seat: int
    by: Actor
    share: str | msgspec.UnsetType = msgspec.UNSET
    salt: str | msgspec.UnsetType = msgspec.UNSET
    standing: Standing = ""


class MatchStarted(Happening, Generic[E], frozen=True):
    """The title's own beginning; `provisional`, `guests` and `programs` (accounts of bots) are seats, as the service
    knew their players then."""

    effects: tuple[E, ...]
    draws: tuple[Draw, ...] = ()
    provisional: tuple[int, ...] = ()
    guests: tuple[int, ...] = ()
    programs: tuple[int, ...] = ()


class ActionTaken(Happening, Generic[A, E], frozen=True):
    """An action and all that followed without asking anybody; `hidden_action` takes the place of a secret `action`,
    `hidden_act` that of one that is signed."""

    seat: int
    by: Actor
    effects: tuple[E, ...]
    draws: tuple[Draw, ...] = ()
    action: A | None = None
    hidden_action: Hidden[A] | None = None
    hidden_act: Hidden[SignedAction[A]] | None = None
    reveals: bool = False
    """Whether a reader learnt something hidden from it; then neither it nor an earlier action can be taken back."""


class TakenBack(Happening, frozen=True):
    """The state is again that after `to_version`."""

    seat: int
    by: Actor
    to_version: int


class Resigned(Happening, frozen=True):
    seat: int
    by: Actor


class SeatReplaced(Happening, frozen=True):
    """`actor` sits there from now on; as a substitute whom an organiser named, for an entrant."""

    seat: int
    by: Actor
    actor: Actor
    stands_in_for: Actor = ""
    keys: tuple[NamedKey, ...] = ()
    reason: ReplacedFor = ""
    """Since format 3, where the service does it."""


class TimedOut(Happening, frozen=True):
    """The seat's time ran out; what follows is the table's policy, `bot` the one that plays on."""

    seat: int
    by: Actor
    policy: TimeOutPolicy
    bot: Actor | None = None


class PauseAsked(Happening, frozen=True):
    seat: int
    by: Actor


class Paused(Happening, frozen=True):
    """The match stands still; with `dispute` until an arbiter has ruled on it."""

    by: Actor
    dispute: str = ""


class Resumed(Happening, frozen=True):
    """The match goes on; for `charged`, whose dispute was withdrawn, the time it stood still was time of its own. Of a
    match that runs `withdrawn` says it: that seat wants no pause any more."""

    by: Actor
    charged: int | None = None
    withdrawn: int | None = None


class Voided(Happening, frozen=True):
    """The match counts for nothing and is over."""

    by: Actor
    reason: str = ""


class MatchForked(Happening, frozen=True):
    """This match begins as `parent` stood after its entry `at`; a fresh luck brings its own `seed`.

    With `ruling` it takes the parent's place as the official line, and `clocks` are the milliseconds each seat had
    left there. With `dispute` it is an arbiter's what-if about that dispute, visible to its arbiters only. It goes on
    when the seats that it `awaits` have brought their shares of a fresh luck. With `practice` somebody learns by it,
    and that says what: it is private, and nobody's result.
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


class RulingGiven(Happening, frozen=True):
    """An arbiter has ruled on a dispute about entry `at`; without measures, nothing changes.

    On appeal it names the ruling it looks at again: which then stands (`upheld`), or is replaced by this one.
    """

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


class MatchEnded(Happening, frozen=True):
    """The result: points and place of every seat; resigned seats come last."""

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
    """The action taken, as far as this reader may know it."""
    if fact.hidden_act is not None:
        known = fact.hidden_act.known_or(None)
        return None if known is None else known.action
    if fact.hidden_action is None:
        return fact.action
    return fact.hidden_action.known_or(None)


def is_local(actor: Actor | None) -> bool:
    """A local guest: a name at one table on one device, and nobody's account."""
    return actor is not None and actor.startswith(LOCAL)


def is_bot(actor: Actor | None) -> bool:
    return actor is not None and actor.startswith("bot:")
