"""The form of an event's plan, and conversions between form and plan.

The form differs from the `Plan` of the API: a format stands for stages, one of a few clocks for a table, and points are
decimal text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any, Final, Literal

import msgspec

from api.contests.alternate_fields import ALTERNATES, AlternateCount, AlternateHours, alternates_of
from api.contests.condition_forms import ConditionFields
from api.http.form_faults import UNKNOWN, FieldFault, excerpt
from api.http.forms import Form, FormRejected
from api.http.structs import RequestStruct, Short, ShortGiven
from api.matches.bots import bot_actor
from api.matches.pages.clocks import CLOCKS, ClockName
from api.tournaments.schemas import Reason
from domain.contests.holidays import HolidayRule, rule_for
from domain.kernel.bounds import TEXT_MAX
from domain.kernel.messages import N_, Message
from domain.kernel.values import replace
from domain.matches.errors import BotCannotPlay, UnknownActor
from domain.matches.play.absences import DAYS_MAX
from domain.matches.seats.bots import bot_name
from domain.ratings.errors import RatedWithoutClock
from domain.roles.errors import NoSuchPerson
from domain.standings.contest import (
    ROUNDS_MAX,
    Count,
    Measure,
    Rounds,
    Scoring,
    Size,
    SizePoints,
    Stage,
    StageKind,
    TieBreak,
)
from domain.standings.points import SIXTIETHS_PER_POINT, default_points, points_text
from domain.tournaments.plan import STAGES_MAX, WAIT_SECONDS_MAX, Plan, Withdrawal

FormatName = Literal["swiss", "swiss_final", "round_robin", "elimination", "double_elimination", "heats_final", "own"]
FORMATS: Final[Mapping[FormatName, str]] = {
    "swiss": N_("Swiss system"),
    "swiss_final": N_("Swiss system with a final table"),
    "round_robin": N_("Round robin: everyone meets everyone"),
    "elimination": N_("Single elimination: out after the first loss"),
    "double_elimination": N_("Double elimination: out after the second loss"),
    "heats_final": N_("Heats with a final table"),
    "own": N_("Custom format, stage by stage"),
}
ROUNDS_DEFAULT: Final = 4
STAGES_OFFERED: Final = 4
STAGE_KIND: Final = re.compile(r"stages\.(\d{1,3})\.kind", re.ASCII)
"""Name of the field of a stage's kind, with its row number."""
TIES_OFFERED: Final = 6
SIZES: Final = range(2, 6)
AS_IT_IS: Final = "as it is"
"""The clock of a plan that matches no choice of the form."""
POINTS_MAX: Final = 1_000
NO_POINTS: Final = N_("Enter points from 0 to {most} in steps of 1/60, not “{value}”.")

Advance = Annotated[int, msgspec.Meta(ge=1, le=4)]
Points = Annotated[str, msgspec.Meta(max_length=8)]


class StageRow(RequestStruct, frozen=True):
    """A stage; without a kind the row is empty. An unticked box sends nothing, so `carry` defaults to false."""

    kind: StageKind | None = None
    rounds: Rounds = 0
    cut: Count = 0
    advance: Advance = 1
    lives: Annotated[int, msgspec.Meta(ge=1, le=2)] = 1
    carry: bool = False


class PlanForm(RequestStruct, frozen=True, kw_only=True):
    """The fields. `points`: table size -> points by place, such as `10 6 3 1`."""

    name: ShortGiven
    title: Short = ""
    options: dict[str, str] = msgspec.field(default_factory=dict)
    size: Size = 4
    smallest: Size = 2
    leftover: Literal["short", "bye"] = "short"
    format: FormatName = "swiss"
    rounds: Annotated[int, msgspec.Meta(ge=1, le=ROUNDS_MAX)] = ROUNDS_DEFAULT
    advance: Advance = 1
    stages: Annotated[tuple[StageRow, ...], msgspec.Meta(max_length=STAGES_MAX)] = ()
    measure: Measure = "points"
    bye: Points = ""
    points: dict[str, Annotated[str, msgspec.Meta(max_length=40)]] = msgspec.field(default_factory=dict)
    tie_breaks: tuple[TieBreak, ...] = Scoring().tie_breaks
    registration: Literal["open", "invite"] = "open"
    cap: Count = 0
    late_entry: bool = False
    clock: ClockName | Literal["as it is"] = "none"
    rated: bool = False
    silent: bool = False
    programs: bool = False
    bot: Short = ""
    official: Short = ""
    wait_minutes: Annotated[int, msgspec.Meta(ge=0, le=WAIT_SECONDS_MAX // 60)] = 0
    holiday_days: Annotated[int, msgspec.Meta(ge=0, le=DAYS_MAX)] = HolidayRule().days
    auto: bool = False
    face_to_face: bool = False
    confirm_all: bool = False
    conditions: ConditionFields = ConditionFields()
    withdrawal: Withdrawal = "walkover"
    alternate_hours: AlternateHours = 0
    alternate_count: AlternateCount = ALTERNATES.most
    text: Annotated[str, msgspec.Meta(max_length=TEXT_MAX)] = ""
    reason: Reason = ""
    """Reason for changing the plan, required once a round is public."""

    def all_stages(self) -> tuple[Stage, ...]:
        """Return the stages of the chosen format; for "own" the rows of the form that have a kind."""
        if self.format == "own":
            return tuple(
                Stage(kind, row.rounds, row.cut, row.advance, row.lives, row.carry)
                for row in self.stages
                if (kind := row.kind)
            )
        if self.format == "swiss":
            return (Stage("swiss", self.rounds),)
        if self.format == "swiss_final":
            return (Stage("swiss", self.rounds), Stage("final", cut=self.size))
        if self.format == "round_robin":
            return (Stage("round_robin"),)
        if self.format == "heats_final":
            return (Stage("heats", self.rounds), Stage("final", cut=self.size))
        return (Stage("elimination", advance=self.advance, lives=1 if self.format == "elimination" else 2),)

    def own_points(self) -> tuple[SizePoints, ...]:
        """Return the points by place for table sizes with custom points, in sixtieths.

        Raises `FormRejected` for an unknown table size or invalid points.
        """
        for size in self.points.keys() - {str(size) for size in SIZES}:
            raise FormRejected([FieldFault(f"points.{size}", Message(UNKNOWN))])
        return tuple(
            SizePoints(int(size), tuple(sixtieths(points, f"points.{size}") for points in text.split()))
            for size, text in sorted(self.points.items())
        )

    def scoring(self) -> Scoring:
        """Return the scoring in the form; raise `FormRejected` for invalid points."""
        bye = sixtieths(self.bye, "bye") if self.bye else Scoring().bye
        return Scoring(measure=self.measure, points=self.own_points(), bye=bye, tie_breaks=self.tie_breaks)

    def plan(self, bots: tuple[str, ...], before: Plan) -> Plan:
        """Return the plan in the form; options without a field are taken from `before`.

        Raises `FormRejected` for invalid points, `UnknownActor` for an unknown bot.
        """
        table = msgspec.structs.replace(
            before.table,
            clock=before.table.clock if self.clock == AS_IT_IS else CLOCKS[self.clock],
            rated=self.rated,
            talk=False if self.silent else msgspec.UNSET,
            programs=self.programs or msgspec.UNSET,
        )
        return replace(
            before,
            name=self.name,
            title=self.title,
            options=self.options,
            table=table,
            holidays=rule_for(table, self.holiday_days, before.holidays),
            size=self.size,
            smallest=min(self.smallest, self.size),
            leftover=self.leftover,
            registration=self.registration,
            cap=self.cap,
            late_entry=self.late_entry,
            stages=self.all_stages(),
            scoring=self.scoring(),
            bot=bot_actor(bots, self.bot) if self.bot else "",
            wait_seconds=60 * self.wait_minutes,
            auto=self.auto,
            face_to_face=self.face_to_face,
            confirm_all=self.confirm_all,
            conditions=self.conditions.conditions(before.conditions),
            withdrawal=self.withdrawal,
            alternates=alternates_of(self.alternate_hours, self.alternate_count),
            text=self.text,
        )


PLAN: Final = Form(
    "plan",
    PlanForm,
    beside={BotCannotPlay: "bot", UnknownActor: "bot", NoSuchPerson: "official", RatedWithoutClock: "clock"},
)


def sixtieths(text: str, field: str) -> int:
    """Parse points, as decimal or fraction, in sixtieths.

    Raises `FormRejected` with the field if they are invalid, negative or above `POINTS_MAX`.
    """
    try:
        found = Fraction(text.replace(",", ".")) * SIXTIETHS_PER_POINT
    except (ValueError, ZeroDivisionError):
        found = Fraction(-1)
    if found.denominator != 1 or not 0 <= found <= POINTS_MAX * SIXTIETHS_PER_POINT:
        raise FormRejected([FieldFault(field, Message(NO_POINTS, {"value": excerpt(text), "most": POINTS_MAX}))])
    return int(found)


def form_of(plan: Plan) -> PlanForm:
    """Return a plan as form values, always with the format "own".

    A clock that is not in the list becomes `AS_IT_IS`.
    """
    clock = next((name for name, offered in CLOCKS.items() if offered == plan.table.clock), None)
    own_points = {row.size: " ".join(map(points_text, row.points)) for row in plan.scoring.points}
    rows = (StageRow(each.kind, each.rounds, each.cut, each.advance, each.lives, each.carry) for each in plan.stages)
    return PlanForm(
        name=plan.name,
        title=plan.title,
        options=plan.options,
        size=plan.size,
        smallest=plan.smallest,
        leftover=plan.leftover,
        format="own",
        stages=tuple(rows),
        measure=plan.scoring.measure,
        bye=points_text(plan.scoring.bye),
        points={str(size): text for size, text in own_points.items()},
        tie_breaks=plan.scoring.tie_breaks,
        registration=plan.registration,
        cap=plan.cap,
        late_entry=plan.late_entry,
        clock=clock or AS_IT_IS,
        rated=plan.table.rated,
        silent=plan.table.is_silent,
        programs=plan.table.programs is True,
        bot=bot_name(plan.bot),
        wait_minutes=-(-plan.wait_seconds // 60),
        holiday_days=DAYS_MAX if plan.holidays is None else plan.holidays.days,
        auto=plan.auto,
        face_to_face=plan.face_to_face,
        confirm_all=plan.confirm_all,
        withdrawal=plan.withdrawal,
        alternate_hours=0 if plan.alternates is None else plan.alternates.hours,
        alternate_count=(plan.alternates or ALTERNATES).most,
        text=plan.text,
    )


def rows_of(form: PlanForm, sent_values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the form's rows of stages, points by table size, and tie-breaks, with empty rows at the end."""
    stage_counts = [int(row[1]) + 1 for name in sent_values if (row := STAGE_KIND.fullmatch(name))]
    stages = max(STAGES_OFFERED, len(form.stages), *(count for count in stage_counts if count <= STAGES_MAX))
    ties = max(TIES_OFFERED, len(form.tie_breaks))
    return {
        "stages": [form.stages[index] if index < len(form.stages) else StageRow(carry=True) for index in range(stages)],
        "points": [
            (str(size), form.points.get(str(size), ""), " ".join(map(points_text, default_points(size))))
            for size in SIZES
        ],
        "ties": [form.tie_breaks[index] if index < len(form.tie_breaks) else "" for index in range(ties)],
    }
