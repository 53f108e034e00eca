"""Sanctions of organisers: warnings, and exclusions from a series of events for a time, with an appeal.

A series is a league, or the events of an organiser or a club. Records name people by id; reason, appeal and answer are
in the accounts database, which can erase them. A sanction expires automatically.
"""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final, Literal, NamedTuple
from uuid import UUID, uuid5

from domain.contests.errors import ContestRefused
from domain.kernel.values import Value, replace, tagger
from domain.matches.facts import Actor, is_bot
from domain.matches.log.records import Kind, Record
from domain.matches.seats.opening import check_host, check_player

SANCTIONS_NAMESPACE: Final = UUID("6c0e5b0a-33a5-5b1e-9c0e-000000000045")
YEARS_MAX: Final = 5
LONGEST: Final = timedelta(days=365 * YEARS_MAX)
SanctionKind = Literal["warning", "exclusion"]
SeriesKind = Literal["league", "organiser", "club"]


class SanctionRefused(ContestRefused):
    """A command that does not fit the sanctions of a series; the message gives the reason."""


class NoSuchSanction(Exception):
    """No sanction of the series has this id."""


class Series(NamedTuple):
    """A league by its id, or the events of an organiser or a club by theirs."""

    kind: SeriesKind
    id: str

    @property
    def key(self) -> str:
        """The series as a text."""
        return f"{self.kind}/{self.id}"

    @property
    def stream_id(self) -> UUID:
        """The id of its stream of sanctions."""
        return uuid5(SANCTIONS_NAMESPACE, self.key)


class SanctionFact(Value, frozen=True, tag_field="type", tag=tagger("sanctions"), omit_defaults=True):
    """Base of the facts about the sanctions of a series."""


class SanctionGiven(SanctionFact, frozen=True):
    """An organiser warned a person, or excluded them from the series, until a time."""

    by: Actor
    series: str
    sanction: UUID
    person: Actor
    kind: SanctionKind
    until: datetime


class SanctionLifted(SanctionFact, frozen=True):
    """An organiser ended a sanction early."""

    by: Actor
    sanction: UUID


class SanctionAppealed(SanctionFact, frozen=True):
    """The person appealed."""

    by: Actor
    sanction: UUID


class AppealDecided(SanctionFact, frozen=True):
    """An official who did not give the sanction decided about the appeal; `lifted`: the sanction ended."""

    by: Actor
    sanction: UUID
    lifted: bool


Fact = SanctionGiven | SanctionLifted | SanctionAppealed | AppealDecided


class Sanction(Value, frozen=True, kw_only=True, omit_defaults=True):
    """A sanction with its appeal."""

    id: UUID
    person: Actor
    kind: SanctionKind
    by: Actor
    given_at: datetime
    until: datetime
    lifted_at: datetime | None = None
    lifted_by: Actor = ""
    appealed_at: datetime | None = None
    decided_at: datetime | None = None
    decided_by: Actor = ""

    def holds(self, at: datetime) -> bool:
        """Return whether the sanction is in force: not lifted, and not over."""
        return self.lifted_at is None and at < self.until

    @property
    def has_open_appeal(self) -> bool:
        """Whether an appeal waits for a decision."""
        return self.appealed_at is not None and self.decided_at is None and self.lifted_at is None


class Sanctions(Value, frozen=True, kw_only=True, omit_defaults=True):
    """The sanctions of a series, the first given first."""

    series: str
    given: Mapping[str, Sanction] = {}

    def sanction(self, sanction_id: UUID) -> Sanction:
        """Return a sanction; raise `NoSuchSanction` if there is none with this id."""
        found = self.given.get(str(sanction_id))
        if found is None:
            raise NoSuchSanction(f"no sanction {sanction_id} in {self.series}")
        return found

    def exclusion_of(self, person: Actor, at: datetime) -> Sanction | None:
        """Return the exclusion of a person that holds longest, or None."""
        found = [
            each
            for each in self.given.values()
            if each.person == person and each.kind == "exclusion" and each.holds(at)
        ]
        return max(found, key=lambda each: each.until, default=None)


def give(
    sanctions: Sanctions | None,
    series: Series,
    sanction_id: UUID,
    by: Actor,
    person: Actor,
    kind: SanctionKind,
    until: datetime,
    at: datetime,
) -> SanctionGiven:
    """Warn a person, or exclude them from a series until a time.

    Raise `SanctionRefused` for a bot of the service or oneself, an end in the past or too late, or a person whom an
    exclusion keeps out already; `UnknownActor` for a malformed id.
    """
    check_host(by)
    check_player(person)
    if is_bot(person):
        raise SanctionRefused(f"{person!r} is a bot of the service")
    if person == by:
        raise SanctionRefused("nobody can sanction themselves")
    if until <= at:
        raise SanctionRefused(f"the end of the sanction, {until.isoformat()}, is in the past")
    if until > at + LONGEST:
        raise SanctionRefused(f"the end of the sanction, {until.isoformat()}, is more than {YEARS_MAX} years from now")
    present = sanctions.exclusion_of(person, at) if sanctions is not None and kind == "exclusion" else None
    if present is not None:
        raise SanctionRefused(f"{person!r} is excluded until {present.until.isoformat()} already; lift that first")
    return SanctionGiven(by, series.key, sanction_id, person, kind, until)


def lift(sanctions: Sanctions, by: Actor, sanction_id: UUID, at: datetime) -> SanctionLifted:
    """End a sanction early; raise `SanctionRefused` if it is over, `NoSuchSanction` if it is unknown."""
    require_in_force(sanctions.sanction(sanction_id), at)
    return SanctionLifted(by, sanction_id)


def appeal(sanctions: Sanctions, by: Actor, sanction_id: UUID, at: datetime) -> SanctionAppealed:
    """Appeal against a sanction, once, as the person whom it is about.

    Raise `SanctionRefused` for others, if it is over or was appealed, `NoSuchSanction` if it is unknown.
    """
    found = sanctions.sanction(sanction_id)
    if found.person != by:
        raise SanctionRefused("only the person whom a sanction is about can appeal")
    require_in_force(found, at)
    if found.appealed_at is not None:
        raise SanctionRefused("a sanction can be appealed once")
    return SanctionAppealed(by, sanction_id)


def decide_appeal(sanctions: Sanctions, by: Actor, sanction_id: UUID, at: datetime, *, lifted: bool) -> AppealDecided:
    """Decide about an appeal, as an official other than the one who gave the sanction.

    Raise `SanctionRefused` for that one and for the person, or if no appeal waits; `NoSuchSanction` if it is unknown.
    """
    found = sanctions.sanction(sanction_id)
    if by in {found.by, found.person}:
        raise SanctionRefused("someone else has to decide about this appeal: another organiser, or an operator")
    if not found.has_open_appeal:
        raise SanctionRefused("no appeal against this sanction waits for a decision")
    require_in_force(found, at)
    return AppealDecided(by, sanction_id, lifted)


def require_in_force(sanction: Sanction, at: datetime) -> None:
    """Raise `SanctionRefused` if a sanction is over or was lifted."""
    if not sanction.holds(at):
        ended = sanction.lifted_at or sanction.until
        raise SanctionRefused(f"the sanction is over since {ended.isoformat()}")


def change_sanction(state: Sanctions, sanction_id: UUID, **changes: object) -> Sanctions:
    """Return the state with one sanction changed."""
    key = str(sanction_id)
    return replace(state, given={**state.given, key: replace(state.given[key], **changes)})


def sanction_lifted(state: Sanctions, record: Record, fact: SanctionLifted) -> Sanctions:
    """Apply an early end."""
    return change_sanction(state, fact.sanction, lifted_at=record.timestamp, lifted_by=fact.by)


def sanction_appealed(state: Sanctions, record: Record, fact: SanctionAppealed) -> Sanctions:
    """Apply an appeal."""
    return change_sanction(state, fact.sanction, appealed_at=record.timestamp)


def appeal_decided(state: Sanctions, record: Record, fact: AppealDecided) -> Sanctions:
    """Apply the decision about an appeal."""
    ended = {"lifted_at": record.timestamp, "lifted_by": fact.by} if fact.lifted else {}
    return change_sanction(state, fact.sanction, decided_at=record.timestamp, decided_by=fact.by, **ended)


EVOLVE: Final[dict[type[Any], Callable[[Sanctions, Record, Any], Sanctions]]] = {
    SanctionLifted: sanction_lifted,
    SanctionAppealed: sanction_appealed,
    AppealDecided: appeal_decided,
}


def evolve(state: Sanctions | None, record: Record, fact: Fact) -> Sanctions:
    """Return the sanctions after one more record; never refuses one."""
    if isinstance(fact, SanctionGiven):
        current = state or Sanctions(series=fact.series)
        sanction = Sanction(
            id=fact.sanction,
            person=fact.person,
            kind=fact.kind,
            by=fact.by,
            given_at=record.timestamp,
            until=fact.until,
        )
        return replace(current, given={**current.given, str(fact.sanction): sanction})
    assert state is not None, "a stream of sanctions begins with one"
    return EVOLVE[type(fact)](state, record, fact)


SANCTIONS: Final[Kind[Fact, Sanctions]] = Kind("sanctions", Fact, evolve)
