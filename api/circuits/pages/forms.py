"""Forms of circuits."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec

from api.circuits.pages.addresses import parse_address
from api.circuits.schemas import SettleStandings, Weight
from api.http.form_faults import NEEDED, FieldFault, excerpt
from api.http.forms import Form, FormRejected
from api.http.structs import RequestStruct, Short
from api.tournaments.schemas import Reason
from domain.circuits.fact_base import ContestKey
from domain.circuits.plan import (
    DAYS_MAX,
    PLACES_MAX,
    POINTS_MAX,
    ROWS_MAX,
    TERMS_MAX,
    CircuitPlan,
    CircuitTieBreak,
    Contests,
    Count,
    Formula,
    PointsRow,
    Term,
    TermKind,
)
from domain.circuits.points import FULL_WEIGHT
from domain.kernel.bounds import NAME_MAX, TEXT_MAX
from domain.kernel.messages import N_, Message
from domain.kernel.texts import ONE_LINE
from domain.matches.errors import NoSuchStream
from domain.roles.errors import RoleMissing
from domain.standings.contest import ENTRIES_MAX

NO_POINTS: Final = N_("Enter whole points from first place down, separated by spaces, not “{value}”.")
POINTS_LENGTH_MAX: Final = 1_400
DIGITS_MAX: Final = len(str(POINTS_MAX))
TIES_OFFERED: Final = 3
USUAL: Final = PointsRow(1, (12, 10, 8, 7, 6, 5, 4, 3, 2, 1))
"""The points that the form of a new circuit proposes."""


class TableRow(RequestStruct, frozen=True):
    """Points by place from a number of participants on, as text; without points the row is empty."""

    size: Annotated[int, msgspec.Meta(ge=1, le=ENTRIES_MAX)] = 1
    points: Annotated[str, msgspec.Meta(max_length=POINTS_LENGTH_MAX, pattern=ONE_LINE)] = ""


class TermRow(RequestStruct, frozen=True):
    """A term of a formula; without a kind the row is empty."""

    kind: TermKind | None = None
    factor: Annotated[int, msgspec.Meta(ge=0, le=POINTS_MAX)] = 0
    places: Annotated[int, msgspec.Meta(ge=1, le=PLACES_MAX)] = 1


class CircuitForm(RequestStruct, frozen=True, kw_only=True):
    """The plan of a circuit; a change needs a reason once contests count."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=NAME_MAX, pattern=ONE_LINE)]
    table: Annotated[tuple[TableRow, ...], msgspec.Meta(max_length=ROWS_MAX)] = ()
    terms: Annotated[tuple[TermRow, ...], msgspec.Meta(max_length=TERMS_MAX)] = ()
    best: Contests = 0
    per_title: Contests = 0
    participants_min: Count = 0
    results_min: Contests = 0
    tie_breaks: Annotated[tuple[CircuitTieBreak, ...], msgspec.Meta(max_length=6)] = ()
    qualify: Count = 0
    answer_days: Annotated[int, msgspec.Meta(ge=0, le=DAYS_MAX)] = 0
    text: Annotated[str, msgspec.Meta(max_length=TEXT_MAX)] = ""
    reason: Reason = ""

    def plan(self) -> CircuitPlan:
        """Return the plan; raise `FormRejected` for invalid points or an incomplete term."""
        terms = tuple(read_term(row, index) for index, row in enumerate(self.terms) if row.kind or row.factor)
        return CircuitPlan(
            name=self.name,
            table=tuple(
                PointsRow(row.size, read_points(row.points, f"table.{index}.points"))
                for index, row in enumerate(self.table)
                if row.points
            ),
            formula=Formula(terms) if terms else None,
            best=self.best,
            per_title=self.per_title,
            participants_min=self.participants_min,
            results_min=self.results_min,
            tie_breaks=self.tie_breaks,
            qualify=self.qualify,
            answer_days=self.answer_days,
            text=self.text,
        )


class ContestForm(RequestStruct, frozen=True, kw_only=True):
    """A contest: chosen among the reader's own, or the address of another one, which is used if both are given."""

    contest: Short = ""
    address: Annotated[str, msgspec.Meta(max_length=300, pattern=ONE_LINE)] = ""

    @property
    def key(self) -> ContestKey | None:
        """The contest; None if none is given. Raise `FormRejected` for an invalid address."""
        chosen = parse_address(self.contest, "contest") if self.contest else None
        return parse_address(self.address, "address") if self.address else chosen


class AddContestForm(ContestForm, frozen=True, kw_only=True):
    """A contest that is to count."""

    weight: Weight = FULL_WEIGHT

    @property
    def needed_key(self) -> ContestKey:
        """The contest; raise `FormRejected` if it is missing or its address is invalid."""
        key = self.key
        if key is None:
            raise FormRejected([FieldFault("contest", Message(NEEDED))])
        return key


class WithdrawalForm(RequestStruct, frozen=True):
    """A contest that no longer counts."""

    contest: Short
    reason: Reason = ""


def read_points(text: str, field: str) -> tuple[int, ...]:
    """Return typed points by place; raise `FormRejected` with the field if they are no numbers."""
    words = text.replace(",", " ").replace(";", " ").split()
    if len(words) > PLACES_MAX or not all(
        word.isascii() and word.isdecimal() and len(word) <= DIGITS_MAX and int(word) <= POINTS_MAX for word in words
    ):
        raise FormRejected([FieldFault(field, Message(NO_POINTS, {"value": excerpt(text)}))])
    return tuple(int(word) for word in words)


def read_term(row: TermRow, index: int) -> Term:
    """Return a term; raise `FormRejected` if its points or its kind is missing."""
    if row.kind is None or not row.factor:
        field = "factor" if row.kind else "kind"
        raise FormRejected([FieldFault(f"terms.{index}.{field}", Message(NEEDED))])
    return Term(row.kind, row.factor, row.places)


REFUSED: Final[dict[type[Exception], str]] = {RoleMissing: "contest", NoSuchStream: "contest"}
CIRCUIT: Final = Form("circuit", CircuitForm)
CONTEST: Final = Form("contest", AddContestForm, beside=REFUSED)
WITHDRAWAL: Final = Form("withdrawal", WithdrawalForm)
FINAL: Final = Form("final", ContestForm, beside=REFUSED)
SETTLE: Final = Form("settle", SettleStandings)
OF_A_CIRCUIT: Final = (CONTEST, WITHDRAWAL, FINAL, SETTLE)


def table_rows(plan: CircuitPlan) -> list[tuple[int, str]]:
    """Return the rows of a form for the table of a plan, with an empty one."""
    rows = [(row.size, " ".join(map(str, row.points))) for row in plan.table]
    return [*rows, (1, "")] if len(rows) < ROWS_MAX else rows


def term_rows(plan: CircuitPlan) -> list[tuple[str, int, int]]:
    """Return the rows of a form for the formula of a plan, with two empty ones."""
    rows = [(term.kind, term.factor, term.places) for term in plan.formula.terms] if plan.formula else []
    return [*rows, *([("", 0, 1)] * min(2, TERMS_MAX - len(rows)))]


def tie_rows(plan: CircuitPlan) -> list[str]:
    """Return the choices of tie-breaks in a form."""
    return [*plan.tie_breaks, *([""] * (TIES_OFFERED - len(plan.tie_breaks)))]
