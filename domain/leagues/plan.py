"""The plan of a league: title, tables, divisions, promotion and relegation, length of rounds."""

from typing import Annotated, Final, Literal

import msgspec

from domain.contests.alternates import AlternateRule, fault_of_alternates
from domain.contests.conditions import EntryConditions
from domain.contests.deadlines import DeadlineRule
from domain.contests.errors import ContestRefused, PlanRefused
from domain.contests.holidays import HolidayRule, fault_of_holidays
from domain.contests.times import normal_reminders
from domain.designs.existence import SIZE_MAX, SIZE_MIN
from domain.kernel.bounds import NAME_MAX, TEXT_MAX
from domain.kernel.texts import LINE_DESCRIPTION, fault_of_line, name_key
from domain.kernel.values import Value, replace
from domain.leagues.schedule import SeasonSchedule, normal_schedule
from domain.matches.facts import Actor, Clock, Table
from domain.matches.seats.event_tables import fault_of_event_table
from domain.matches.titles import stated_options
from domain.standings.contest import Count, Scoring, StandingsRule, fault_of_scoring

DIVISIONS_MAX: Final = 12
GROUPS_MAX: Final = 64
PLACES_MAX: Final = 40
ROUNDS_MAX: Final = 120
DAYS_MAX: Final = 365
TWO_DAYS: Final = 2 * 24 * 3600

Withdrawal = Literal["walkover", "annul", "substitute"]
"""The rule for a player who leaves a scheduled season.

From the next round on a bot plays in the player's seat, and its points count for no one. `walkover`: the tables before
count. `annul`: if fewer than half of the rounds are open, they do not count for the player, and the others are counted
without the seat. `substitute`: the place is offered to the alternates, and its points count afterwards.
"""
Places = Annotated[int, msgspec.Meta(ge=2, le=PLACES_MAX)]
Moving = Annotated[int, msgspec.Meta(ge=0, le=PLACES_MAX)]


class LeagueRefused(ContestRefused):
    """A command that does not fit the state of the league; the message says why."""


class Division(Value, frozen=True, omit_defaults=True):
    """Groups of equal level.

    In each group the first `up` are promoted and the last `down` relegated. 0 groups: as many as the players fill, for
    the last division only.
    """

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=NAME_MAX, description=LINE_DESCRIPTION)]
    groups: Annotated[int, msgspec.Meta(ge=0, le=GROUPS_MAX)] = 1
    places: Places = 7
    up: Moving = 0
    down: Moving = 0


class LeaguePlan(Value, frozen=True, kw_only=True, omit_defaults=True):
    """The plan of a league; a change takes effect with the next season."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=NAME_MAX, description=LINE_DESCRIPTION)]
    title: str
    options: dict[str, str] = msgspec.field(default_factory=dict)
    table: Table = Table(clock=Clock("correspondence", TWO_DAYS), rated=True)
    size: Annotated[int, msgspec.Meta(ge=SIZE_MIN, le=SIZE_MAX)] = 3
    divisions: tuple[Division, ...] = (Division("First division", 0),)
    rounds: Annotated[int, msgspec.Meta(ge=0, le=ROUNDS_MAX)] = 0
    """0: an exact design in which every pair meets equally often; else a schedule as even as possible."""
    even_seats: bool = False
    """The design is repeated until everyone has sat in every seat equally often."""
    round_days: Annotated[int, msgspec.Meta(ge=1, le=DAYS_MAX)] = 14
    at_once: bool = False
    """All rounds of a season start together and share its whole length, for correspondence play."""
    scoring: Scoring = Scoring(tie_breaks=("head_to_head", "share", "wins", "victory_points", "lot"))
    standings: StandingsRule = 1
    """The rule by which results count; set by the service when a season is drawn."""
    registration: Annotated[str, msgspec.Meta(pattern="^(open|invite)$")] = "open"
    bot: Actor = ""
    """The bot that may be a substitute; empty: none."""
    text: Annotated[str, msgspec.Meta(max_length=TEXT_MAX)] = ""
    schedule: SeasonSchedule | None = None
    """The dates of the seasons, by which the service takes all steps; None: an organiser takes them."""
    deadlines: DeadlineRule | None = None
    """What happens at the deadline of a round; None: nothing."""
    holidays: HolidayRule | None = None
    """The days of holiday of a player in a season; None: only each table has a limit."""
    withdrawal: Withdrawal = "walkover"
    """What happens to the place of a player who leaves a scheduled season."""
    alternates: AlternateRule | None = None
    """How vacant places are offered to alternates; None: not at all."""
    cap: Count = 0
    """The number of players of a season; further entries wait. 0: no limit."""
    conditions: EntryConditions | None = None
    """The conditions of entry; None: everyone may enter."""


def with_original_defaults(plan: LeaguePlan) -> LeaguePlan:
    """Return a stored plan with the options it omits set to their values at the time; new plans state all."""
    return replace(plan, options=stated_options(plan.title, plan.options))


def check_league(plan: LeaguePlan) -> None:
    """Raise `LeagueRefused` if the plan is inconsistent.

    Checked are names (present, valid and distinct), the table, 1 to `DIVISIONS_MAX` divisions, group sizes,
    promotions and relegations, and the scoring.
    """
    if not name_key(plan.name):
        raise LeagueRefused("enter a name for the league")
    for subject, text in (
        ("the name of the league", plan.name),
        *(("a division", each.name) for each in plan.divisions),
    ):
        if (fault := fault_of_line(subject, text)) is not None:
            raise LeagueRefused(fault)
    if (fault := fault_of_event_table(plan.table)) is not None:
        raise LeagueRefused(fault)
    if (fault := fault_of_holidays(plan.holidays, plan.table)) is not None:
        raise LeagueRefused(fault)
    if not 1 <= len(plan.divisions) <= DIVISIONS_MAX:
        raise LeagueRefused(f"a league has 1 to {DIVISIONS_MAX} divisions, not {len(plan.divisions)}")
    names = [name_key(division.name) for division in plan.divisions]
    if len(set(names)) < len(names):
        raise LeagueRefused("two divisions have the same name")
    for number, division in enumerate(plan.divisions):
        if division.groups == 0 and number < len(plan.divisions) - 1:
            raise LeagueRefused(
                f"{division.name}: only the last division can have 0 groups (as many as the players fill)"
            )
        if division.places < plan.size:
            raise LeagueRefused(f"{division.name}: a group of {division.places} does not fill a table of {plan.size}")
        if division.up + division.down > division.places:
            raise LeagueRefused(
                f"{division.name}: {division.up} promoted and {division.down} relegated exceed its "
                f"{division.places} places"
            )
    if plan.divisions[0].up:
        raise LeagueRefused(f"{plan.divisions[0].name}: no one can be promoted from the first division")
    if plan.divisions[-1].down:
        raise LeagueRefused(f"{plan.divisions[-1].name}: no one can be relegated from the last division")
    if (fault := fault_of_scoring(plan.scoring)) is not None:
        raise LeagueRefused(fault)
    if plan.cap and plan.cap < plan.size:
        raise LeagueRefused(f"a season for {plan.cap} players does not fill a table of {plan.size}")
    plays_on = plan.withdrawal == "substitute"
    if (fault := fault_of_alternates(plan.alternates, plan.cap, 24 * plan.round_days, plays_on=plays_on)) is not None:
        raise LeagueRefused(fault)
    if plan.schedule is not None and not plan.bot:
        raise LeagueRefused("a league with a schedule needs a bot, which plays for people who leave")


def normal_league(plan: LeaguePlan) -> LeaguePlan:
    """Return the plan in its stored form: times in UTC, the earliest reminder first.

    Raise `LeagueRefused` for a schedule that contradicts itself.
    """
    rule, schedule = plan.deadlines, plan.schedule
    if rule is not None:
        rule = replace(rule, reminders=normal_reminders(rule.reminders))
    if schedule is not None:
        try:
            schedule = normal_schedule(schedule, rule.extension_days if rule is not None else 0)
        except PlanRefused as refusal:
            raise LeagueRefused(str(refusal)) from refusal
    return replace(plan, deadlines=rule, schedule=schedule)
