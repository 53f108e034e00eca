"""Disputes: raised by a player at an entry of a match, ruled on by an arbiter, appealed once to a head arbiter."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final, Literal
from uuid import UUID, uuid5

from domain.disputes.errors import AppealRefused, DisputeRefused, DisputeSettled, NotAParty
from domain.disputes.facts import (
    ArbiterAssigned,
    CommitteeSeated,
    DisputeRaised,
    DisputeWithdrawn,
    Fact,
    MatchStanding,
    MotionMade,
    RuledOn,
    RulingAppealed,
    VoteCast,
    WhatIfMade,
)
from domain.disputes.hearing import Hearing, Motion, Vote
from domain.kernel.values import Value, replace, tagger
from domain.matches.aggregate import Match, Result, seat_of
from domain.matches.facts import Actor, RulingGiven
from domain.matches.log.records import Kind, Record
from domain.matches.rulings.ruling import counted_result, points_taken, seconds_taken

REASON_MAX: Final = 4_000
OPEN_MAX: Final = 1
"""Disputes of one player about one match that may wait for a ruling."""

DisputeStatus = Literal["open", "ruled", "appealed", "closed", "withdrawn"]
WAITING: Final = ("open", "appealed")


class GivenRuling(Value, frozen=True):
    """A ruling with its time."""

    at: datetime
    ruling: RuledOn


class WhatIf(Value, frozen=True):
    """A what-if of a dispute."""

    line: UUID
    entry: int
    by: Actor


class Appeal(Value, frozen=True):
    """An appeal."""

    by: Actor
    seat: int
    reason: str
    at: datetime


class Dispute(Value, frozen=True):
    """The state of a dispute."""

    match: UUID
    line: UUID
    entry: int
    seat: int
    by: Actor
    reason: str
    event: str
    raised_at: datetime
    status: DisputeStatus = "open"
    arbiter: Actor | None = None
    handed_by: Actor = ""
    note: str = ""
    """The note of the arbiter `handed_by`, who handed the dispute over."""
    what_ifs: tuple[WhatIf, ...] = ()
    rulings: tuple[GivenRuling, ...] = ()
    appeal: Appeal | None = None
    hearing: Hearing | None = None
    """The committee of the appeal, if one hears it."""

    @property
    def is_waiting(self) -> bool:
        """Whether the dispute waits for a ruling."""
        return self.status in WAITING

    @property
    def waits_since(self) -> datetime:
        """When the dispute was raised or, after a ruling, appealed."""
        return self.raised_at if self.appeal is None else self.appeal.at

    @property
    def deciding_arbiter(self) -> Actor | None:
        """The assigned arbiter; after a ruling, its author."""
        return self.arbiter if self.is_waiting or not self.rulings else self.rulings[-1].ruling.by


def dispute_raised(record: Record, fact: DisputeRaised) -> Dispute:
    """Return the new dispute, raised at the time of the record."""
    return Dispute(
        fact.match, fact.line, fact.entry, fact.seat, fact.by, fact.reason, fact.event, raised_at=record.timestamp
    )


def apply_ruling(dispute: Dispute, record: Record, fact: RuledOn) -> Dispute:
    """Apply a ruling."""
    status: DisputeStatus = "ruled" if dispute.status == "open" else "closed"
    return replace(dispute, status=status, rulings=(*dispute.rulings, GivenRuling(record.timestamp, fact)))


def ruling_appealed(dispute: Dispute, record: Record, fact: RulingAppealed) -> Dispute:
    """Apply an appeal."""
    appeal = Appeal(fact.by, fact.seat, fact.reason, record.timestamp)
    return replace(dispute, status="appealed", arbiter=None, handed_by="", note="", appeal=appeal)


def what_if_made(dispute: Dispute, _record: Record, fact: WhatIfMade) -> Dispute:
    """Apply a what-if."""
    return replace(dispute, what_ifs=(*dispute.what_ifs, WhatIf(fact.line, fact.entry, fact.by)))


def committee_seated(dispute: Dispute, _record: Record, fact: CommitteeSeated) -> Dispute:
    """Apply the seating of a committee."""
    return replace(dispute, arbiter=None, handed_by="", note="", hearing=Hearing(fact.by, fact.members, fact.reason))


def motion_made(dispute: Dispute, record: Record, fact: MotionMade) -> Dispute:
    """Apply a motion: append it to the committee's motions."""
    assert dispute.hearing is not None, "a committee sits where there is a motion"
    motion = Motion(record.timestamp, fact)
    return replace(dispute, hearing=replace(dispute.hearing, motions=(*dispute.hearing.motions, motion)))


def vote_cast(dispute: Dispute, record: Record, fact: VoteCast) -> Dispute:
    """Apply a vote: it replaces an earlier one of the same member."""
    assert dispute.hearing is not None, "a committee sits where there is a vote"
    other_votes = tuple(vote for vote in dispute.hearing.votes if vote.by != fact.by)
    vote = Vote(fact.by, fact.motion, fact.reason, record.timestamp)
    return replace(dispute, hearing=replace(dispute.hearing, votes=(*other_votes, vote)))


EVOLVE: Final[Mapping[type[Any], Callable[[Dispute, Record, Any], Dispute]]] = {
    DisputeWithdrawn: lambda dispute, _record, _fact: replace(dispute, status="withdrawn"),
    ArbiterAssigned: lambda dispute, _record, fact: replace(
        dispute, arbiter=fact.by, handed_by=fact.handed_by, note=fact.note
    ),
    WhatIfMade: what_if_made,
    RuledOn: apply_ruling,
    RulingAppealed: ruling_appealed,
    CommitteeSeated: committee_seated,
    MotionMade: motion_made,
    VoteCast: vote_cast,
}


def evolve(dispute: Dispute | None, record: Record, fact: Fact) -> Dispute:
    """Return the dispute after one more record."""
    if isinstance(fact, DisputeRaised):
        return dispute_raised(record, fact)
    assert dispute is not None, "a dispute begins with being raised"
    return EVOLVE[type(fact)](dispute, record, fact)


DISPUTE: Final[Kind[Fact, Dispute]] = Kind("dispute", Fact, evolve)


# All disputes about one match.


class DocketFact(Value, frozen=True, tag_field="type", tag=tagger("docket"), omit_defaults=True):
    """Base of the facts of a match's docket."""


class DisputeListed(DocketFact, frozen=True):
    """A dispute was put on the docket."""

    dispute: UUID
    by: Actor


class DisputeDone(DocketFact, frozen=True):
    """A dispute was settled; an appeal puts it on the docket again."""

    dispute: UUID


class ListedDispute(Value, frozen=True):
    """A dispute on the docket; `stops`: the person's first about this match, for which the match may pause."""

    dispute: UUID
    by: Actor
    stops: bool = True


class DisputeDocket(Value, frozen=True):
    """The docket of a match: disputes waiting for a ruling, oldest first, and everyone who has had one."""

    waiting: tuple[ListedDispute, ...] = ()
    listed: tuple[Actor, ...] = ()


def evolve_docket(docket: DisputeDocket | None, _record: Record, fact: DisputeListed | DisputeDone) -> DisputeDocket:
    """Return the docket after one more record; a listed dispute goes to the end, a finished one leaves it.

    Only a person's first dispute about the match stops it.
    """
    current = docket or DisputeDocket()
    remaining = tuple(each for each in current.waiting if each.dispute != fact.dispute)
    if isinstance(fact, DisputeDone):
        return replace(current, waiting=remaining)
    is_first = fact.by not in current.listed
    return DisputeDocket(
        (*remaining, ListedDispute(fact.dispute, fact.by, stops=is_first)),
        (*current.listed, fact.by) if is_first else current.listed,
    )


DOCKET: Final[Kind[DisputeListed | DisputeDone, DisputeDocket]] = Kind(
    "docket", DisputeListed | DisputeDone, evolve_docket
)


def docket_stream(match_id: UUID) -> UUID:
    """Return the id of the docket's stream, for a match named by its first line."""
    return uuid5(match_id, "disputes")


# Decisions.


def check_reason(reason: str, missing: str = "give a reason") -> str:
    """Return the stripped text; raise `DisputeRefused` if it is blank or has over `REASON_MAX` characters.

    `missing`: the message for a blank one.
    """
    text = reason.strip()
    if not text:
        raise DisputeRefused(missing)
    if len(text) > REASON_MAX:
        raise DisputeRefused(f"a reason has at most {REASON_MAX} characters, not {len(text)}")
    return text


def party_seat(match: Match, by: Actor) -> int:
    """Return the seat of a person who may raise a dispute or appeal; raise `NotAParty` if none."""
    seat = seat_of(match, by)
    if seat is None:
        raise NotAParty(f"{by!r} does not play in the match {match.id}")
    return seat


def raise_dispute(
    match: Match, root: UUID, docket: DisputeDocket, *, entry: int, by: Actor, reason: str
) -> DisputeRaised:
    """Decide a player's dispute about an entry; raise `DisputeRefused` if it is not allowed.

    Not allowed before the start, on replaced lines and what-ifs, about entries outside the played ones, without
    a reason, and while another of the player is waiting. Raise `NotAParty` for a person without a seat.
    """
    seat = party_seat(match, by)
    if match.started_version is None:
        raise DisputeRefused(f"match {match.id} has not started")
    if match.status == "superseded":
        raise DisputeRefused(
            f"the match {match.id} was replaced by {match.docket.superseded_by}; raise the dispute there"
        )
    if match.docket.dispute:
        raise DisputeRefused(f"match {match.id} is a what-if line")
    if not match.started_version <= entry <= match.version:
        raise DisputeRefused(f"choose an entry from {match.started_version} to {match.version}, not {entry}")
    if sum(each.by == by for each in docket.waiting) >= OPEN_MAX:
        raise DisputeRefused("you already have a dispute about this match that is waiting for a ruling")
    return DisputeRaised(
        match=root,
        line=match.id,
        entry=entry,
        seat=seat,
        by=by,
        reason=check_reason(reason),
        event=match.table.event_id,
    )


def withdraw(dispute: Dispute, by: Actor) -> DisputeWithdrawn:
    """Decide the withdrawal of a dispute before any ruling; raise `DisputeSettled` unless it is open.

    Raise `NotAParty` unless `by` raised it.
    """
    if by != dispute.by:
        raise NotAParty("only the player who raised a dispute can withdraw it")
    if dispute.status != "open":
        raise DisputeSettled(settlement_text(dispute))
    return DisputeWithdrawn(by=by)


def appeal(dispute: Dispute, match: Match, by: Actor, reason: str) -> RulingAppealed:
    """Decide the appeal of a ruling by any player of the match, once per dispute; raise `AppealRefused` otherwise.

    Raise `NotAParty` for a person without a seat, `DisputeRefused` for a blank or long reason. The appeal period is
    not checked here.
    """
    seat = party_seat(match, by)
    if dispute.appeal is not None:
        raise AppealRefused("a ruling can be appealed once; the decision on the appeal is final")
    if dispute.status != "ruled":
        raise AppealRefused(f"no ruling to appeal: the dispute is {dispute.status}")
    return RulingAppealed(by=by, seat=seat, reason=check_reason(reason))


def check_waiting(dispute: Dispute) -> None:
    """Raise `DisputeSettled` unless a ruling is due; the message holds the ruling that came first."""
    if not dispute.is_waiting:
        raise DisputeSettled(settlement_text(dispute))


def check_no_committee(dispute: Dispute) -> None:
    """Raise `AppealRefused` if a committee hears the appeal, so that no arbiter can rule alone."""
    if dispute.is_waiting and dispute.hearing is not None:
        raise AppealRefused("a committee hears this appeal; its members vote on the ruling")


def settlement_text(dispute: Dispute) -> str:
    """Return author, time and the first 200 characters of the last ruling, or that the dispute was withdrawn."""
    if not dispute.rulings:
        return "the dispute was withdrawn"
    last = dispute.rulings[-1]
    return f"{last.ruling.by} ruled on this dispute at {last.at.isoformat()}: {last.ruling.reasons[:200]}"


def summarise_match(match: Match, clocks: tuple[int, ...] = ()) -> MatchStanding:
    """Return the summary of a match for a ruling: the counted result if it is over, else the clocks."""
    result = counted_result(match) if match.is_over else None
    result = result or Result((), ())
    remaining = () if match.is_over else clocks
    return MatchStanding(
        match.id, match.version, match.status, result.scores, result.ranking, points_taken(match), remaining
    )


def subtract_time_penalties(clocks: tuple[int, ...], match: Match, fact: RulingGiven) -> tuple[int, ...]:
    """Return the clocks of a match after the time penalties of a ruling."""
    penalties = seconds_taken(match, fact)
    return tuple(max(0, remaining - 1_000 * penalty) for remaining, penalty in zip(clocks, penalties, strict=False))
