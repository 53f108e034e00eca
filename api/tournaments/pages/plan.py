"""The form of an event's plan: what it sends, which plan that means, and a plan as the form shows it again."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final, get_args

import msgspec

from api.matches.pages.setting_up import CLOCKS
from api.tournaments.pages.room import MEASURES
from api.web.browser import Form
from domain.kernel.messages import N_
from domain.matches.facts import Table
from domain.standings.points import PART, default_points, points_text
from domain.standings.tie_breaks import NAMES
from domain.tournaments.errors import PlanRefused
from domain.tournaments.plan import (
    ENTRIES_MAX,
    NAME_MAX,
    ROUNDS_MAX,
    STAGES_MAX,
    Plan,
    Scoring,
    SizePoints,
    Stage,
    StageKind,
)

FORMATS: Final = {
    "swiss": N_("Swiss at tables"),
    "swiss_final": N_("Swiss, then a final table of the best"),
    "round_robin": N_("Round robin: everybody meets everybody"),
    "elimination": N_("Elimination at tables: out after the first loss"),
    "double_elimination": N_("Elimination at tables: out after the second loss"),
    "heats_final": N_("Heats, then a final table of the best"),
    "own": N_("A plan of my own, stage by stage"),
}
ROUNDS_DEFAULT: Final = 4
STAGES_OFFERED: Final = 4
TIES_OFFERED: Final = 6
SIZES: Final = range(2, 6)
AS_IT_IS: Final = "as it is"
"""The clock of a plan that no choice of the form means."""
POINTS_MAX: Final = 1_000


class PlanForm(Form, frozen=True):
    """What stands in the form once; stages, points and tie-breaks come in rows beside it."""

    name: str = ""
    title: str = "la_granja"
    size: int = 4
    smallest: int = 2
    leftover: str = "short"
    format: str = "swiss"
    rounds: int = ROUNDS_DEFAULT
    advance: int = 1
    measure: str = "points"
    bye: str = ""
    registration: str = "open"
    cap: int = 0
    late_entry: str = ""
    clock: str = "none"
    rated: str = ""
    bot: str = ""
    auto: str = ""
    face_to_face: str = ""
    text: str = ""

    def checked(self, clocks: tuple[str, ...]) -> PlanForm:
        """The form, if every field holds something it offers."""
        for name, given, known in (
            ("clock", self.clock, clocks),
            ("measure", self.measure, tuple(MEASURES)),
            ("leftover", self.leftover, ("short", "bye")),
            ("registration", self.registration, ("open", "invite")),
        ):
            if given not in known:
                raise PlanRefused(f"{name}={given!r} is not one of: {', '.join(known)}")
        bounds = (("size", self.size, 2, 5), ("smallest", self.smallest, 2, 5), ("rounds", self.rounds, 1, ROUNDS_MAX))
        for name, number, least, most in (*bounds, ("cap", self.cap, 0, ENTRIES_MAX), ("advance", self.advance, 1, 4)):
            if not least <= number <= most:
                raise PlanRefused(f"{name} takes a number from {least} to {most}, not {number}")
        if not 1 <= len(self.name.strip()) <= NAME_MAX:
            raise PlanRefused(f"the name of an event has 1 to {NAME_MAX} characters")
        return self

    def stages(self, rows: Mapping[str, Any]) -> tuple[Stage, ...]:
        """The plan of stages that the chosen format means."""
        if self.format == "own":
            return own_stages(rows)
        if self.format == "swiss":
            return (Stage("swiss", self.rounds),)
        if self.format == "swiss_final":
            return (Stage("swiss", self.rounds), Stage("final", cut=self.size))
        if self.format == "round_robin":
            return (Stage("round_robin"),)
        if self.format == "heats_final":
            return (Stage("heats", self.rounds), Stage("final", cut=self.size))
        if self.format in {"elimination", "double_elimination"}:
            return (Stage("elimination", advance=self.advance, lives=1 if self.format == "elimination" else 2),)
        raise PlanRefused(f"there is no format {self.format!r}; there are: {', '.join(FORMATS)}")

    def scoring(self, rows: Mapping[str, Any]) -> Scoring:
        bye = sixtieths(self.bye, "a bye") if self.bye.strip() else Scoring().bye
        return Scoring(
            measure=self.measure,  # type: ignore[arg-type]  # checked
            points=own_points(rows),
            bye=bye,
            tie_breaks=own_ties(rows),  # type: ignore[arg-type]  # checked
        )

    def plan(self, rows: Mapping[str, Any], options: dict[str, str], bot: str, seed: int, before: Table) -> Plan:
        """The plan as the domain knows it; of a table what the form does not ask for stays as it was `before`."""
        self.checked((*CLOCKS, AS_IT_IS))
        clock = before.clock if self.clock == AS_IT_IS else CLOCKS[self.clock]
        return Plan(
            name=self.name.strip(),
            title=self.title,
            options=options,
            table=msgspec.structs.replace(before, clock=clock, rated=bool(self.rated)),
            size=self.size,
            smallest=min(self.smallest, self.size),
            leftover=self.leftover,  # type: ignore[arg-type]  # checked
            registration=self.registration,  # type: ignore[arg-type]  # checked
            cap=self.cap,
            late_entry=bool(self.late_entry),
            stages=self.stages(rows),
            scoring=self.scoring(rows),
            bot=bot,
            auto=bool(self.auto),
            face_to_face=bool(self.face_to_face),
            text=self.text[:4_000],
            seed=seed,
        )


def own_stages(rows: Mapping[str, Any]) -> tuple[Stage, ...]:
    """The stages written row by row; a row without a kind is none."""
    found = []
    for number in range(1, STAGES_MAX + 1):
        kind = rows.get(f"stage_{number}_kind", "")
        if not kind:
            continue
        if kind not in get_args(StageKind):
            raise PlanRefused(f"stage {number}: there is no kind {kind!r}; there are: {', '.join(get_args(StageKind))}")
        rounds, cut = whole(rows, number, "rounds", 0, ROUNDS_MAX), whole(rows, number, "cut", 0, ENTRIES_MAX)
        advance, lives = whole(rows, number, "advance", 1, 4), whole(rows, number, "lives", 1, 2)
        found.append(Stage(kind, rounds, cut, advance, lives, bool(rows.get(f"stage_{number}_carry"))))
    return tuple(found)


def whole(rows: Mapping[str, Any], stage: int, name: str, least: int, most: int) -> int:
    """A number of a stage's row; the least where nothing stands."""
    text = str(rows.get(f"stage_{stage}_{name}", "")).strip() or str(least)
    if not text.isdecimal() or not least <= int(text) <= most:
        raise PlanRefused(f"stage {stage}: {name} takes a number from {least} to {most}, not {text!r}")
    return int(text)


def own_points(rows: Mapping[str, Any]) -> tuple[SizePoints, ...]:
    """Points by place for the table sizes that have their own, such as `10 6 3 1`."""
    texts = {size: str(rows.get(f"points_{size}", "")).split() for size in SIZES}
    return tuple(
        SizePoints(size, tuple(sixtieths(word, f"tables of {size}") for word in words))
        for size, words in texts.items()
        if words
    )


def sixtieths(text: str, what: str) -> int:
    """Points as people write them, in sixtieths."""
    try:
        found = Fraction(text.strip().replace(",", ".")) * PART
    except (ValueError, ZeroDivisionError) as error:
        raise PlanRefused(f"points for {what}: {text!r} is no number") from error
    if found.denominator != 1 or not 0 <= found <= POINTS_MAX * PART:
        raise PlanRefused(f"points for {what}: {text!r} is not between 0 and {POINTS_MAX} in sixtieths of a point")
    return int(found)


def own_ties(rows: Mapping[str, Any]) -> tuple[str, ...]:
    """The tie-breaks in their order; where the form has none of their fields, the usual ones."""
    if "tie_1" not in rows:
        return Scoring().tie_breaks
    chosen = tuple(str(word) for number in range(1, len(NAMES) + 1) if (word := rows.get(f"tie_{number}")))
    for word in chosen:
        if word not in NAMES:
            raise PlanRefused(f"there is no tie-break {word!r}; there are: {', '.join(NAMES)}")
    return chosen


def form_of(plan: Plan) -> PlanForm:
    """A plan as the form shows it, to be changed."""
    clock = next((name for name, known in CLOCKS.items() if known == plan.table.clock), AS_IT_IS)
    same = {name: getattr(plan, name) for name in ("name", "title", "size", "smallest", "leftover", "registration")}
    ticked: dict[str, Any] = {
        name: "1" if getattr(plan, name) else "" for name in ("late_entry", "auto", "face_to_face")
    }
    return PlanForm(
        **same,
        **ticked,
        format="own",
        measure=plan.scoring.measure,
        bye=points_text(plan.scoring.bye),
        cap=plan.cap,
        clock=clock,
        rated="1" if plan.table.rated else "",
        bot=plan.bot.removeprefix("bot:").partition("@")[0],
        text=plan.text,
    )


class StageSent(msgspec.Struct, frozen=True):
    """A stage's row as it was filled in."""

    kind: str
    rounds: str
    cut: str
    advance: str
    lives: str
    carry: bool


def rows_sent(rows: Mapping[str, Any]) -> dict[str, Any]:
    """Stages, points and tie-breaks as the form was filled in, whatever they mean."""

    def stage(number: int) -> StageSent | None:
        name = f"stage_{number}_"
        if f"{name}kind" not in rows:
            return None
        texts = {field: str(rows.get(name + field, "")) for field in ("kind", "rounds", "cut", "advance", "lives")}
        return StageSent(**texts, carry=bool(rows.get(f"{name}carry")))

    stages = [stage(number) for number in range(1, STAGES_MAX + 1)]
    ties = [str(rows.get(f"tie_{number}", "")) for number in range(1, len(NAMES) + 1)]
    return {
        "stages": stages[: max(STAGES_OFFERED, len([each for each in stages if each]))],
        "points": [
            (size, str(rows.get(f"points_{size}", "")), " ".join(map(points_text, default_points(size))))
            for size in SIZES
        ],
        "ties": ties[: max(TIES_OFFERED, len([each for each in ties if each]))],
    }


def rows_of(plan: Plan) -> dict[str, Any]:
    """Stages, points and tie-breaks of a plan as rows of the form."""
    ties = plan.scoring.tie_breaks
    own = {row.size: " ".join(map(points_text, row.points)) for row in plan.scoring.points}
    return {
        "stages": [
            plan.stages[at] if at < len(plan.stages) else None for at in range(max(STAGES_OFFERED, len(plan.stages)))
        ],
        "points": [(size, own.get(size, ""), " ".join(map(points_text, default_points(size)))) for size in SIZES],
        "ties": [ties[at] if at < len(ties) else "" for at in range(max(TIES_OFFERED, len(ties)))],
    }
