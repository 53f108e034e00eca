"""What an organiser decides before the first round: title, options, clocks, registration, stages, scoring."""

from typing import Annotated, Final, Literal

import msgspec

from domain.kernel.values import Value
from domain.matches.facts import Actor, Table
from domain.standings.points import DEFAULT_POINTS, PART
from domain.tournaments.errors import PlanRefused

ENTRIES_MAX: Final = 2_000
ROUNDS_MAX: Final = 60
NAME_MAX: Final = 120
TEXT_MAX: Final = 4_000
STAGES_MAX: Final = 8

StageKind = Literal["swiss", "round_robin", "elimination", "heats", "final"]
Measure = Literal["points", "victory_points", "wins", "margin"]
TieBreak = Literal[
    "victory_points", "share", "margin", "wins", "opponents", "seat_adjusted", "head_to_head", "seeding", "lot"
]

Rounds = Annotated[int, msgspec.Meta(ge=0, le=ROUNDS_MAX)]
Count = Annotated[int, msgspec.Meta(ge=0, le=ENTRIES_MAX)]
Size = Annotated[int, msgspec.Meta(ge=2, le=5)]


class Stage(Value, frozen=True, omit_defaults=True):
    """A part of the tournament, played in one way.

    `cut`: the number of the best so far who take part (0: all). `rounds` of an elimination follow from its people,
    those of a round robin, unless given, from its design. `advance`: the number of each table who go on unharmed; the
    others lose one of `lives`. With `carry` points of the stages before count on.
    """

    kind: StageKind
    rounds: Rounds = 0
    cut: Count = 0
    advance: Annotated[int, msgspec.Meta(ge=1, le=4)] = 1
    lives: Annotated[int, msgspec.Meta(ge=1, le=2)] = 1
    carry: bool = True


class SizePoints(Value, frozen=True):
    """Points by place at tables of one size, in sixtieths, the first place first."""

    size: Size
    points: tuple[Annotated[int, msgspec.Meta(ge=0, le=60_000)], ...]


class Scoring(Value, frozen=True, omit_defaults=True):
    """What is counted, and what decides between equals, in this order. A bye is worth `bye` sixtieths."""

    measure: Measure = "points"
    points: tuple[SizePoints, ...] = ()
    bye: Annotated[int, msgspec.Meta(ge=0, le=60_000)] = DEFAULT_POINTS * PART // 2
    tie_breaks: tuple[TieBreak, ...] = ("opponents", "share", "wins", "victory_points", "lot")


class Plan(Value, frozen=True, kw_only=True, omit_defaults=True):
    """The tournament as its organiser wants it."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=NAME_MAX)]
    title: str
    options: dict[str, str] = msgspec.field(default_factory=dict)
    table: Table = Table()
    size: Size = 4
    smallest: Size = 2
    leftover: Literal["short", "bye"] = "short"
    registration: Literal["open", "invite"] = "open"
    cap: Count = 0
    """The most who take part, the others wait; 0: no limit."""
    late_entry: bool = True
    stages: tuple[Stage, ...] = (Stage("swiss", 3),)
    scoring: Scoring = Scoring()
    bot: Actor = ""
    """The bot that takes the seat of a player who does not come; empty: none may."""
    auto: bool = False
    """Rounds are paired, opened and closed without being asked."""
    face_to_face: bool = False
    """The tables are played elsewhere: no matches are opened, results are entered by hand."""
    text: Annotated[str, msgspec.Meta(max_length=TEXT_MAX)] = ""
    seed: Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)] = 0


def check_plan(plan: Plan) -> None:
    """Refuses what no tournament could be run by."""
    if not plan.name.strip():
        raise PlanRefused("an event needs a name")
    if plan.smallest > plan.size:
        raise PlanRefused(f"tables of {plan.size} cannot be as small as {plan.smallest} at the least")
    if not 1 <= len(plan.stages) <= STAGES_MAX:
        raise PlanRefused(f"an event has 1 to {STAGES_MAX} stages, not {len(plan.stages)}")
    for number, stage in enumerate(plan.stages, start=1):
        if stage.kind in {"swiss", "heats"} and stage.rounds < 1:
            raise PlanRefused(f"stage {number} ({stage.kind}) needs a number of rounds")
        if stage.kind == "elimination" and stage.advance >= plan.size:
            raise PlanRefused(f"stage {number}: at tables of {plan.size} fewer than {plan.size} can advance")
        if number > 1 and stage.kind != "final" and stage.cut == 1:
            raise PlanRefused(f"stage {number}: one person alone cannot play")
    sizes = [row.size for row in plan.scoring.points]
    if len(set(sizes)) < len(sizes):
        raise PlanRefused("the points of one table size are given twice")
    for row in plan.scoring.points:
        if len(row.points) > row.size or list(row.points) != sorted(row.points, reverse=True):
            raise PlanRefused(f"the points at tables of {row.size} must fall from place to place, one for each at most")
    if len(set(plan.scoring.tie_breaks)) < len(plan.scoring.tie_breaks):
        raise PlanRefused("a tie-break is named twice")
