"""Forms of leagues. Places and points share a field each, and places may follow from the points."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec

from api.contests.alternate_fields import ALTERNATES, AlternateCount, AlternateHours, alternates_of
from api.contests.condition_forms import JOIN, ConditionFields
from api.contests.local_times import LocalTime, parse_local_time
from api.http.forms import Form
from api.http.languages import _
from api.http.structs import RequestStruct, Short, ShortGiven
from api.leagues.schemas import (
    AnnounceToLeague,
    AnswerLeagueInvitation,
    GiveFixture,
    MoveDeadline,
    MoveInDraw,
    NameSubstitute,
    OpenSeason,
    PersonName,
    Places,
    RuleFixture,
    SwapInDraw,
)
from api.matches.bots import bot_actor
from api.matches.pages.clocks import CLOCKS, ClockName
from api.tournaments.schemas import Reason
from domain.contests.deadlines import Consequence, DeadlineRule, ExtensionDays, OrganiserDays
from domain.contests.errors import PlanRefused
from domain.contests.holidays import HolidayRule, rule_for
from domain.contests.times import EARLIEST, zone_named
from domain.kernel.bounds import TEXT_MAX
from domain.leagues.plan import DAYS_MAX, Division, LeaguePlan, Withdrawal
from domain.leagues.schedule import Days, SeasonSchedule, SomeDays
from domain.matches.errors import BotCannotPlay, UnknownActor
from domain.matches.facts import Table, is_bot
from domain.matches.play.absences import DAYS_MAX as HOLIDAY_DAYS_MAX
from domain.ratings.errors import RatedWithoutClock
from domain.roles.errors import NoSuchPerson
from domain.standings.contest import Count
from domain.standings.results import places_by_score

DIVISIONS_OFFERED: Final = 4
PLACES_OFFERED: Final = range(2, 26)
MOVING_MAX: Final = 10
SCHEDULE: Final = SeasonSchedule(starts=EARLIEST)
"""A schedule with the default lengths."""


class LeagueForm(RequestStruct, frozen=True):
    """A league in a few choices: equal divisions, one of a few clocks, and a schedule if `starts` is given.

    `starts` is a local time of `zone`. The API's `OpenLeague` allows every plan.
    """

    name: ShortGiven
    title: Short = ""
    size: Annotated[int, msgspec.Meta(ge=2, le=5)] = 3
    divisions: Annotated[int, msgspec.Meta(ge=1, le=DIVISIONS_OFFERED)] = 1
    places: Annotated[int, msgspec.Meta(ge=PLACES_OFFERED[0], le=PLACES_OFFERED[-1])] = 7
    moving: Annotated[int, msgspec.Meta(ge=0, le=MOVING_MAX)] = 2
    round_days: Annotated[int, msgspec.Meta(ge=1, le=DAYS_MAX)] = 14
    clock: ClockName = "turn-259200"
    even_seats: bool = False
    at_once: bool = False
    rated: bool = False
    silent: bool = False
    programs: bool = False
    registration: Literal["open", "invite"] = "open"
    bot: Short = ""
    official: Short = ""
    cap: Count = 0
    starts: LocalTime = ""
    zone: Short = "UTC"
    registration_days: SomeDays = SCHEDULE.registration_days
    draw_days: Days = SCHEDULE.draw_days
    break_days: SomeDays = SCHEDULE.break_days
    consequence: Consequence = "organiser"
    extension_days: ExtensionDays = 0
    organiser_days: OrganiserDays = 7
    withdrawal: Withdrawal = "walkover"
    holiday_days: Annotated[int, msgspec.Meta(ge=0, le=HOLIDAY_DAYS_MAX)] = HolidayRule().days
    conditions: ConditionFields = ConditionFields()
    alternate_hours: AlternateHours = 0
    alternate_count: AlternateCount = ALTERNATES.most
    text: Annotated[str, msgspec.Meta(max_length=TEXT_MAX)] = ""

    def plan(self, bots: tuple[str, ...]) -> LeaguePlan:
        """Return the plan in the form; `bots` are the known bots, which the form may name in short.

        Every division except the last has one group; `moving` players are promoted and relegated between any two.
        Without a start nothing happens at a deadline. Raise `UnknownActor` for an unknown short name, `FormRejected`
        for an invalid start, `PlanRefused` for an unknown zone.
        """
        last, schedule = self.divisions - 1, self.schedule()
        rule = DeadlineRule(
            consequence=self.consequence, extension_days=self.extension_days, organiser_days=self.organiser_days
        )
        table = Table(
            clock=CLOCKS[self.clock],
            rated=self.rated,
            talk=False if self.silent else msgspec.UNSET,
            programs=self.programs or msgspec.UNSET,
        )
        return LeaguePlan(
            name=self.name,
            title=self.title,
            table=table,
            holidays=rule_for(table, self.holiday_days),
            size=self.size,
            divisions=tuple(
                Division(
                    _("Division {number}", number=number + 1),
                    groups=0 if number == last else 1,
                    places=self.places,
                    up=self.moving if number else 0,
                    down=0 if number == last else self.moving,
                )
                for number in range(self.divisions)
            ),
            even_seats=self.even_seats,
            at_once=self.at_once,
            round_days=self.round_days,
            registration=self.registration,
            bot=bot_actor(bots, self.bot) if self.bot and not is_bot(self.bot) else self.bot,
            text=self.text,
            schedule=schedule,
            deadlines=rule if schedule is not None else None,
            withdrawal=self.withdrawal,
            alternates=alternates_of(self.alternate_hours, self.alternate_count),
            cap=self.cap,
            conditions=self.conditions.conditions(),
        )

    def schedule(self) -> SeasonSchedule | None:
        """Return the schedule of the seasons; None without a start."""
        starts = parse_local_time(zone_named(self.zone), self.starts, "starts")
        if starts is None:
            return None
        return SeasonSchedule(
            starts=starts,
            zone=self.zone,
            registration_days=self.registration_days,
            draw_days=self.draw_days,
            break_days=self.break_days,
        )


class NamedPlayer(RequestStruct, frozen=True):
    """`NameOfPlayer` with a required name; an empty field is an error, not the organiser."""

    player: PersonName


class AnswerButton(AnswerLeagueInvitation, frozen=True):
    """The button that accepts or declines an invitation."""

    accept: bool = False


class EnteredPlayer(NamedPlayer, frozen=True):
    """A player whom the organiser enters or invites; to `waive` the conditions needs a reason."""

    reason: Reason = ""
    waive: bool = False


class WithdrawnPlayer(NamedPlayer, frozen=True):
    """A player whom the organiser withdraws."""

    reason: Reason = ""


class PenaltyOfPlayer(NamedPlayer, frozen=True):
    """`PenaliseInLeague` in whole points."""

    points: Annotated[int, msgspec.Meta(ge=-1_000, le=1_000)]
    reason: Reason = ""


class ResultOfFixture(GiveFixture, frozen=True, kw_only=True):
    """A face-to-face result."""

    places: Places = ()

    @property
    def ranking(self) -> tuple[int, ...]:
        """The given places, or the places by points."""
        return self.places or places_by_score(self.scores)


class PastedText(RequestStruct, frozen=True):
    """A file as pasted text."""

    text: str


class PastedResults(PastedText, frozen=True):
    """Results; `sure`: accept places that contradict their points. `reason`: for late or replaced results."""

    sure: bool = False
    reason: Reason = ""


BY_SEAT: Final = frozenset({"places", "scores"})

LEAGUE: Final = Form(
    "league",
    LeagueForm,
    beside={BotCannotPlay: "bot", UnknownActor: "bot", RatedWithoutClock: "clock", PlanRefused: "zone"},
)
SEASON: Final = Form("season", OpenSeason)
INVITE: Final = Form("invite", NamedPlayer, beside={NoSuchPerson: "player"})
ENTER: Final = Form("enter", EnteredPlayer, beside={BotCannotPlay: "player", NoSuchPerson: "player"})
ANSWER: Final = Form("button", AnswerButton)
TAKE_BACK: Final = Form("button", NamedPlayer)
LEAVE: Final = Form("leave", WithdrawnPlayer, beside={NoSuchPerson: "player"})
PLAYERS: Final = Form("players", PastedText)
ANNOUNCE: Final = Form("announce", AnnounceToLeague)
SUBSTITUTE: Final = Form(
    "substitute", NameSubstitute, beside={BotCannotPlay: "player", NoSuchPerson: "player", UnknownActor: "player"}
)
DEADLINE: Final = Form("deadline", MoveDeadline)
RESULT: Final = Form("result", ResultOfFixture, words=BY_SEAT)
RESULTS: Final = Form("results", PastedResults)
RULING: Final = Form("ruling", RuleFixture, words=BY_SEAT)
PENALTY: Final = Form("penalty", PenaltyOfPlayer, beside={NoSuchPerson: "player", UnknownActor: "player"})
SWAP: Final = Form("swap", SwapInDraw, beside={NoSuchPerson: "player", UnknownActor: "player"})
MOVE: Final = Form("move", MoveInDraw, beside={NoSuchPerson: "player", UnknownActor: "player"})
OF_A_LEAGUE: Final = (JOIN, SEASON, INVITE, ENTER, LEAVE, PLAYERS, ANNOUNCE, SWAP, MOVE)
OF_A_SEASON: Final = (SUBSTITUTE, DEADLINE, RESULT, RESULTS, RULING, PENALTY)
