"""The plan of a tournament: title, options, clocks, registration, stages and scoring."""

from datetime import timedelta
from typing import Annotated, Final, Literal

import msgspec

from domain.contests.alternates import AlternateRule, fault_of_alternates
from domain.contests.conditions import EntryConditions
from domain.contests.errors import PlanRefused
from domain.contests.holidays import HolidayRule, fault_of_holidays
from domain.kernel.bounds import NAME_MAX, TEXT_MAX
from domain.kernel.texts import LINE_DESCRIPTION, fault_of_line, name_key
from domain.kernel.values import Value, replace
from domain.matches.facts import Actor, Table, is_live
from domain.matches.seats.event_tables import fault_of_event_table
from domain.matches.titles import stated_options
from domain.standings.contest import Count, Scoring, Size, Stage, StandingsRule, fault_of_scoring

STAGES_MAX: Final = 8
WAIT_SECONDS_MAX: Final = 30 * 86_400
LIVE_WAIT: Final = timedelta(minutes=10)
SLOW_WAIT: Final = timedelta(days=1)
"""Default waiting times of tables: with a live clock, and by correspondence or without a clock."""


Withdrawal = Literal["walkover", "substitute"]
"""The rule for a player who withdraws.

`walkover`: the player is no longer paired, and earlier tables count. `substitute`: the place is offered to the
alternates, and the entry plays on with the one who accepts.
"""


class Plan(Value, frozen=True, kw_only=True, omit_defaults=True):
    """The plan of a tournament, as its organiser configures it."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=NAME_MAX, description=LINE_DESCRIPTION)]
    title: str
    options: dict[str, str] = msgspec.field(default_factory=dict)
    table: Table = Table()
    size: Size = 4
    smallest: Size = 2
    leftover: Literal["short", "bye"] = "short"
    registration: Literal["open", "invite"] = "open"
    cap: Count = 0
    """The maximum number of participants; further entries wait. 0: no limit."""
    late_entry: bool = True
    stages: tuple[Stage, ...] = (Stage("swiss", 3),)
    scoring: Scoring = Scoring()
    standings: StandingsRule = 1
    """The rule by which results count; set by the service when the event is opened, and never changed."""
    bot: Actor = ""
    """The bot that takes the seat of an absent player; empty: none."""
    wait_seconds: Annotated[int, msgspec.Meta(ge=0, le=WAIT_SECONDS_MAX)] = 0
    """Seconds that the tables of a round wait for their players; 0: the default for their clock."""
    auto: bool = False
    """Rounds are paired, opened and closed automatically."""
    face_to_face: bool = False
    """The tables are played elsewhere: no matches are opened, results are entered by hand."""
    confirm_all: bool = False
    """A claimed result counts once every player of the table confirms it; otherwise once a second one does."""
    text: Annotated[str, msgspec.Meta(max_length=TEXT_MAX)] = ""
    holidays: HolidayRule | None = None
    """The days of holiday of a player in the tournament; None: only each table has a limit."""
    seed: Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)] = 0
    withdrawal: Withdrawal = "walkover"
    """What happens to the place of a player who withdraws after a round was public."""
    alternates: AlternateRule | None = None
    """How vacant places are offered to alternates; None: not at all."""
    conditions: EntryConditions | None = None
    """The conditions of entry; None: everyone may enter."""


def wait_of(plan: Plan) -> timedelta:
    """Return the time that the tables of a round wait for their players; by default it depends on the clock."""
    if plan.wait_seconds:
        return timedelta(seconds=plan.wait_seconds)
    return LIVE_WAIT if is_live(plan.table.clock) else SLOW_WAIT


def with_original_defaults(plan: Plan) -> Plan:
    """Return a stored plan with the options it omits set to their values at the time; new plans state all."""
    return replace(plan, options=stated_options(plan.title, plan.options))


def check_plan(plan: Plan) -> None:
    """Raise `PlanRefused` if the plan is inconsistent.

    Checked are the name, the smallest table, the table's options, 1 to `STAGES_MAX` stages with rounds and
    cuts, and the scoring.
    """
    if not name_key(plan.name):
        raise PlanRefused("an event needs a name")
    if (fault := fault_of_line("the name of the event", plan.name)) is not None:
        raise PlanRefused(fault)
    if plan.smallest > plan.size:
        raise PlanRefused(f"the smallest table ({plan.smallest}) cannot be larger than the table size ({plan.size})")
    if (fault := fault_of_event_table(plan.table)) is not None:
        raise PlanRefused(fault)
    if (fault := fault_of_holidays(plan.holidays, plan.table)) is not None:
        raise PlanRefused(fault)
    plays_on = plan.withdrawal == "substitute"
    if (fault := fault_of_alternates(plan.alternates, plan.cap, 0, plays_on=plays_on)) is not None:
        raise PlanRefused(fault)
    if not 1 <= len(plan.stages) <= STAGES_MAX:
        raise PlanRefused(f"an event has 1 to {STAGES_MAX} stages, not {len(plan.stages)}")
    for number, stage in enumerate(plan.stages, start=1):
        if stage.kind in {"swiss", "heats"} and stage.rounds < 1:
            raise PlanRefused(f"stage {number} ({stage.kind}) requires a number of rounds")
        if stage.kind == "elimination" and stage.advance >= plan.size:
            raise PlanRefused(f"stage {number}: at tables of {plan.size}, fewer than {plan.size} can advance")
        if number > 1 and stage.kind != "final" and stage.cut == 1:
            raise PlanRefused(f"stage {number}: a single player cannot play")
    if (fault := fault_of_scoring(plan.scoring)) is not None:
        raise PlanRefused(fault)
