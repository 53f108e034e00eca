"""The two kinds of contest behind one interface, so that a test of a shared feature runs for both."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from domain.contests.absences import Absences
from domain.contests.adjudication import BotLines, TableLeft
from domain.contests.deadlines import DeadlineRule
from domain.contests.holidays import PlaceTables
from domain.contests.people import ContestPeople
from domain.contests.prizes import Prizes, awards
from domain.eventstore.application import Matches
from domain.kernel.values import replace
from domain.leagues import acts as season_acts
from domain.leagues import alternates as season_alternates
from domain.leagues import availability as season_availability
from domain.leagues import commands as season_commands
from domain.leagues import departures as season_departures
from domain.leagues import holidays as season_holidays
from domain.leagues import prizes as season_prizes
from domain.leagues import seasons, steps
from domain.leagues.acts import LeagueAct
from domain.leagues.facts import FixtureRuled
from domain.leagues.season_state import place_key
from domain.leagues.standings import fixtures
from domain.leagues.state import LEAGUE, match_of
from domain.matches.facts import SERVICE
from domain.matches.log.records import Kind
from domain.standings.ranking import standings
from domain.tournaments import (
    acts,
    alternates,
    availability,
    commands,
    departures,
    holidays,
    registration,
    rounds,
    timing,
)
from domain.tournaments.acts import Act
from domain.tournaments.facts import ResultRuled
from domain.tournaments.state import TOURNAMENT
from tests.domain.contests.contest_subject import OpenSubject
from tests.domain.leagues.season_clock import ID, SeasonClock
from tests.domain.leagues.season_clock import PLAN as LEAGUE_PLAN
from tests.domain.tournaments.event_clock import CALENDAR, CUP, EventClock
from tests.domain.tournaments.event_clock import PLAN as CUP_PLAN


def acts_in(matches: Matches, kind: Kind[Any, Any], of: UUID, act_of: Callable[..., Any]) -> list[Any]:
    """Return the acts in the records of a contest."""
    found, state = list[Any](), None
    for record in matches.streams.records(of):
        fact = kind.read(record)
        if state is not None and (act := act_of(state, record, fact)) is not None:
            found.append(act)
        state = kind.evolve(state, record, fact)
    return found


def place_offered(people: ContestPeople, player: str, number: int) -> str:
    """Return the place that was offered to a person for a round; empty if none was."""
    places = [each.place for each in people.offers if (each.player, each.round) == (player, number)]
    return places[-1] if places else ""


class Cup(EventClock):
    """A tournament as a subject."""

    def __init__(self, matches: Matches, deadlines: DeadlineRule | None = None, **changes: Any) -> None:
        rule = deadlines or CALENDAR.rule
        calendar = replace(CALENDAR, **{name: getattr(rule, name) for name in rule.__struct_fields__})
        super().__init__(matches, replace(CUP_PLAN, **changes), calendar)

    @property
    def people(self) -> ContestPeople:
        return self.state.people

    def name_of(self, player: str) -> str:
        """Return the id of the entry of a player."""
        entry = self.state.entry_of(player)
        assert entry is not None, "the player has entered"
        return entry.id

    def leave(self, player: str) -> None:
        self.do(lambda state: registration.withdraw(state, self.name_of(player), player))

    def erase(self, player: str) -> bool:
        decided = departures.withdraw_person(self.state, player)
        self.do(lambda _: decided)
        return bool(decided)

    def state_absence(self, player: str, away: Absences, by: str = "") -> None:
        self.do(
            lambda state: availability.state_absences(state, self.name_of(player), away, by or player, self.at, "So.")
        )

    def join_alternates(self, **strengths: int) -> None:
        for player, strength in strengths.items():
            self.do(lambda state: alternates.list_alternate(state, player, player, strength))  # noqa: B023 - used at once

    def remove_alternate(self, player: str, by: str) -> None:
        self.do(lambda state: alternates.remove_alternate(state, by, player, "So."))

    def answer(self, player: str, number: int, *, accepted: bool) -> None:
        place = place_offered(self.people, player, number)
        self.do(lambda state: alternates.answer_offer(state, player, place, number, self.at, accepted=accepted))

    def place_of(self, player: str) -> str:
        return self.name_of(player)

    def waiting(self) -> list[str]:
        return [entry.actor for entry in self.state.entries if entry.status == "waiting"]

    def open_round(self) -> None:
        self.take_until("open")

    def draw_again(self) -> None:
        self.play()
        self.open_round()

    def seated_players(self) -> list[tuple[str, ...]]:
        last = self.state.rounds[-1]
        return [
            tuple(
                table.bot_of(name) or table.stand_in_of(name) or registration.entry_named(self.state, name).actor
                for name in table.entries
            )
            for table in last.tables
        ]

    def playing(self) -> set[str]:
        byes = {registration.entry_named(self.state, name).actor for name in self.state.rounds[-1].byes}
        return byes.union(*self.seated_players())

    def matches_of(self, player: str) -> list[UUID]:
        name = self.name_of(player)
        tables = [table for each in self.state.rounds for table in each.tables if name in table.entries]
        return [table.match for table in tables if table.match is not None]

    def holiday_tables(self, match_id: UUID, seat: int, _player: str, /) -> PlaceTables | None:
        return holidays.tables_of_place(self.state, match_id, seat)

    def open_matches(self) -> list[UUID]:
        return [table.match for table in self.state.rounds[-1].tables if table.match is not None]

    def deadline(self) -> datetime:
        deadline = self.state.calendar.round(self.state.rounds[-1].number).deadline
        assert deadline is not None
        return deadline

    def rule(self, table: int, places: tuple[int, ...], scores: tuple[int, ...]) -> None:
        number = self.state.rounds[-1].number
        self.do(lambda state: rounds.rule_table(state, number, table, scores, places, "So.", "org"))

    def adjudicate(self, lines: BotLines | None) -> None:
        timing.adjudicate(self.matches, CUP, self.state.rounds[-1].number, 1, lines, at=self.at)

    def tables_with_bots(self) -> list[TableLeft]:
        return list(commands.tables_with_bots(self.matches, self.state))

    def acts(self) -> list[Act | LeagueAct]:
        return acts_in(self.matches, TOURNAMENT, CUP, acts.act_of)

    def bots_until(self) -> datetime | None:
        return self.state.rounds[-1].tables[0].left_to_bots

    def close(self) -> None:
        self.do(lambda state: rounds.close_round(state, len(state.rounds), self.results, (), "org"))

    def ruled_overdue(self) -> list[tuple[int, ...]]:
        return [each.overdue for each in self.service_rulings()]

    def ruled_lines(self) -> list[tuple[str, tuple[tuple[int, ...], ...]]]:
        return [(each.bot, each.lines) for each in self.service_rulings()]

    def service_rulings(self) -> list[ResultRuled]:
        """Return the rulings of the service."""
        records = (TOURNAMENT.read(each) for each in self.matches.streams.records(CUP))
        return [each for each in records if isinstance(each, ResultRuled) and each.by == SERVICE]

    def rulings(self) -> Sequence[tuple[str, str, tuple[int, ...]]]:
        given = (table.given for each in self.state.rounds for table in each.tables)
        return [(each.by, each.reason, each.places) for each in given if each is not None]

    def set_prizes(self, prizes: Prizes, reason: str = "") -> None:
        self.do(lambda state: registration.set_prizes(state, prizes, "org", reason))

    def awards(self) -> Mapping[str, int]:
        rows = standings(self.state, self.results)
        found = awards(self.state.prizes, self.state.plan.stages, rows)
        return {registration.entry_named(self.state, each.entry).actor: each.amount for each in found}


class LeagueSeason(SeasonClock):
    """The first season of a league as a subject, with one group."""

    def __init__(self, matches: Matches, **changes: Any) -> None:
        super().__init__(matches, replace(LEAGUE_PLAN, **changes))
        self.take_until("register")

    @property
    def people(self) -> ContestPeople:
        return self.league.people

    def leave(self, player: str) -> None:
        self.do(lambda league: seasons.leave(league, player, player))

    def erase(self, player: str) -> bool:
        decided = season_departures.withdraw_person(self.league, player)
        if decided:
            self.do(lambda _: decided)
        return bool(decided)

    def state_absence(self, player: str, away: Absences, by: str = "") -> None:
        self.do(lambda league: season_availability.state_absences(league, by or player, player, away, self.at, "So."))

    def join_alternates(self, **strengths: int) -> None:
        for player, strength in strengths.items():
            self.do(lambda league: season_alternates.list_alternate(league, player, player, strength))  # noqa: B023 - used at once

    def remove_alternate(self, player: str, by: str) -> None:
        self.do(lambda league: season_alternates.remove_alternate(league, by, player, "So."))

    def answer(self, player: str, number: int, *, accepted: bool) -> None:
        place = place_offered(self.people, player, number)
        self.do(
            lambda league: season_alternates.answer_offer(league, player, place, number, self.at, accepted=accepted)
        )

    def place_of(self, player: str) -> str:
        location = self.league.seasons[-1].of_actor(player)
        assert location is not None, "the player has a place"
        return place_key(*location)

    def waiting(self) -> list[str]:
        return [entry.actor for entry in self.league.seasons[-1].entered if entry.waiting]

    def open_round(self) -> None:
        self.take_until("open")

    def draw_again(self) -> None:
        self.run_season()
        self.take_until("register")
        self.accept_all()
        self.take_until("draw")
        self.open_round()

    def seated_players(self) -> list[tuple[str, ...]]:
        season = self.league.seasons[-1]
        number = season.rounds_opened
        return [
            group.players_at(number, table)
            for group in season.groups
            for table in range(1, len(group.rounds[number - 1]) + 1)
        ]

    def playing(self) -> set[str]:
        return set[str]().union(*self.seated_players())

    def matches_of(self, player: str) -> list[UUID]:
        rows = fixtures(self.league, self.league.seasons[-1], {})
        return [each.match for each in rows if each.is_open and player in each.players]

    def holiday_tables(self, match_id: UUID, seat: int, player: str, /) -> PlaceTables | None:
        return season_holidays.tables_of_place(self.league, match_id, seat, {player})

    def play(self, *without: Any) -> None:
        number = self.league.seasons[-1].rounds_opened
        super().play(*((0, number, table) for table in without))

    def take(self, disputed: Sequence[UUID] = ()) -> str:
        return super().take(disputed or [self.open_matches()[table - 1] for table in self.disputed_tables])

    def open_matches(self) -> list[UUID]:
        season = self.league.seasons[-1]
        number = season.rounds_opened
        return [
            match_of(ID, season.number, 0, number, at + 1) for at in range(len(season.groups[0].rounds[number - 1]))
        ]

    def deadline(self) -> datetime:
        return self.league.seasons[-1].deadlines[-1]

    def rule(self, table: int, places: tuple[int, ...], scores: tuple[int, ...]) -> None:
        number = self.league.seasons[-1].rounds_opened
        ruled = FixtureRuled("org", number, 0, table, places, scores, reason="So.")
        self.do(lambda league: seasons.rule(league, ruled, self.results))

    def adjudicate(self, lines: BotLines | None) -> None:
        steps.adjudicate(self.matches, ID, (0, self.league.seasons[-1].rounds_opened, 1), lines, at=self.at)

    def tables_with_bots(self) -> list[TableLeft]:
        return list(season_commands.tables_with_bots(self.matches, self.league))

    def acts(self) -> list[Act | LeagueAct]:
        return acts_in(self.matches, LEAGUE, ID, season_acts.act_of)

    def bots_until(self) -> datetime | None:
        season = self.league.seasons[-1]
        return season.bots_until((0, season.rounds_opened, 1))

    def close(self) -> None:
        self.do(lambda league: seasons.close_season(league, "org", self.results))

    def ruled_overdue(self) -> list[tuple[int, ...]]:
        return [each.overdue for each in self.service_rulings()]

    def ruled_lines(self) -> list[tuple[str, tuple[tuple[int, ...], ...]]]:
        return [(each.bot, each.lines) for each in self.service_rulings()]

    def service_rulings(self) -> list[FixtureRuled]:
        """Return the rulings of the service."""
        records = (LEAGUE.read(each) for each in self.matches.streams.records(ID))
        return [each for each in records if isinstance(each, FixtureRuled) and each.by == SERVICE]

    def rulings(self) -> Sequence[tuple[str, str, tuple[int, ...]]]:
        groups = self.league.seasons[-1].groups
        return [(each.by, each.reason, each.places) for group in groups for each in group.ruled]

    def set_prizes(self, prizes: Prizes, reason: str = "") -> None:
        self.do(lambda league: season_prizes.set_prizes(league, "org", 0, prizes, reason))

    def awards(self) -> Mapping[str, int]:
        season = self.league.seasons[-1]
        found = season_prizes.group_awards(self.league, season, 0, self.results)
        return {season.groups[0].places[place].actor: each.amount for place, each in found.items()}


SUBJECTS: Final[Sequence[OpenSubject]] = (Cup, LeagueSeason)
"""The kinds of contest, each opened with a store and changes of its plan."""
