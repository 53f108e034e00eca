"""Forms on the pages of disputes."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec

from api.disputes.committee_schemas import AnnounceDecision, CastVote, NameCommittee
from api.disputes.schemas import (
    AppealRuling,
    EntryNumber,
    HandOver,
    MakeWhatIf,
    RaiseDispute,
    ResumeFrom,
    Rule,
    WantedMeasure,
    Words,
)
from api.http.form_faults import NEEDED, FieldFault
from api.http.forms import Form, FormRejected
from api.http.structs import RequestStruct, Seat
from domain.disputes.errors import ArbiterPlays, CommitteeRefused
from domain.kernel.messages import Message
from domain.matches.rulings.measures import MatchVoided, PointsTaken, ResultSet, SeatWarned, TimeTaken
from domain.matches.rulings.ruling import POINTS_MAX, SECONDS_MAX
from domain.roles.errors import NoSuchPerson, RoleMissing


class RulingForm(RequestStruct, frozen=True):
    """`GiveRuling` as a form: one decision about the match, and at most one penalty of each kind."""

    rule: Rule
    reasons: Words
    decision: Literal["none", "uphold", "resume", "result", "void"] = "none"
    version: EntryNumber | None = None
    scores: tuple[int, ...] = ()
    ranking: tuple[int, ...] = ()
    warned: Seat | None = None
    points_seat: Seat = 0
    points: Annotated[int, msgspec.Meta(ge=1, le=POINTS_MAX)] | None = None
    seconds_seat: Seat = 0
    seconds: Annotated[int, msgspec.Meta(ge=1, le=SECONDS_MAX)] | None = None

    def measures(self) -> tuple[WantedMeasure, ...]:
        """Return the measures in the form, () if none are filled in.

        Raise `FormRejected` if the entry to resume from is missing.
        """
        measures: list[WantedMeasure] = []
        if self.warned is not None:
            measures.append(SeatWarned(self.warned))
        if self.points is not None:
            measures.append(PointsTaken(self.points_seat, self.points))
        if self.seconds is not None:
            measures.append(TimeTaken(self.seconds_seat, self.seconds))
        if self.decision == "resume":
            measures.append(ResumeFrom(self.required_version()))
        if self.decision == "result":
            measures.append(ResultSet(self.scores, self.ranking))
        if self.decision == "void":
            measures.append(MatchVoided())
        return tuple(measures)

    def required_version(self) -> int:
        """Return the entry to resume from; raise `FormRejected` if missing."""
        if self.version is None:
            raise FormRejected([FieldFault("version", Message(NEEDED))])
        return self.version


APPEAL: Final = Form("appeal", AppealRuling)
HAND_OVER: Final = Form(
    "hand-over", HandOver, beside={NoSuchPerson: "person", RoleMissing: "person", ArbiterPlays: "person"}
)
WHAT_IF: Final = Form("what-if", MakeWhatIf)
RULING: Final = Form("ruling", RulingForm, words=frozenset({"scores", "ranking"}))
MOTION: Final = Form("motion", RulingForm, words=frozenset({"scores", "ranking"}))
VOTE: Final = Form("vote", CastVote)
ANNOUNCE: Final = Form("announce", AnnounceDecision)


class CommitteeForm(RequestStruct, frozen=True):
    """`NameCommittee` as a form: a name per line, chair first."""

    reason: Words
    members: Annotated[str, msgspec.Meta(max_length=1_200)] = ""

    def to_request(self) -> NameCommittee:
        """Return the request in the form."""
        return NameCommittee(tuple(line.strip() for line in self.members.splitlines() if line.strip()), self.reason)


COMMITTEE: Final = Form("committee", CommitteeForm, beside={NoSuchPerson: "members", CommitteeRefused: "members"})


RAISE: Final = Form("raise", RaiseDispute)
