"""Duties of a league: the steps that the service takes automatically."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Final
from uuid import UUID

from litestar.di import NamedDependency

from api.contests.bot_lines import AnswerLines, encode_tables
from api.leagues.responses import encode_duty
from api.leagues.schemas import LeagueOwedShown
from api.leagues.service import LeagueService
from domain.contests.adjudication import TableLeft
from domain.contests.versions import require_version
from domain.eventstore.application import Matches
from domain.leagues import commands, steps
from domain.leagues.duties import SeasonTables, duty_of
from domain.leagues.facts import Fact
from domain.leagues.season_state import TableKey
from domain.leagues.state import League
from domain.matches.aggregate import Match
from projections import leagues as rows
from projections.platform.clock import now

DUTY_TABLES_MAX: Final = 100
"""Maximum number of tables in a duty."""


@dataclass(frozen=True)
class LeagueDuties:
    """Steps of leagues that the service takes automatically."""

    leagues: LeagueService

    async def read_duty(self, league_id: UUID) -> LeagueOwedShown:
        """Return the next duty of the league, with at most `DUTY_TABLES_MAX` tables to open next.

        `step` is "" if nothing is due.
        """
        stream, writer = await self.leagues.stream(league_id), self.leagues.tables.writer
        played = await writer.read_model(rows.played_matches, league_id)

        def find(matches: Matches) -> tuple[TableKey, ...]:
            return tuple(islice(commands.waiting_tables(matches, stream.state, played.seated), DUTY_TABLES_MAX))

        def find_left(matches: Matches) -> tuple[TableLeft, ...]:
            return tuple(commands.tables_with_bots(matches, stream.state))

        duty = duty_of(stream.state, SeasonTables(played.seated, played.results))
        if duty is not None and duty.name == "adjudicate":
            return encode_duty(stream, duty.name, (), encode_tables(await writer.read_log(find_left), now()))
        if duty is not None and duty.name != "open":
            return encode_duty(stream, duty.name, ())
        tables = await writer.read_log(find)
        return encode_duty(stream, "open" if tables else "", tables)

    async def take_step(self, league_id: UUID, step: str, expected_version: int) -> None:
        """Take an automatic step.

        Raises `LeagueRefused` if it is not due or a dispute delays the end of the season, `StaleVersion` unless the
        league is at the expected version.
        """
        stream, writer, at = await self.leagues.stream(league_id), self.leagues.tables.writer, now()
        require_version(stream, expected_version, "league")
        played = await writer.read_model(rows.played_matches, league_id)
        tables = SeasonTables(played.seated, played.results)
        disputed = await self.leagues.disputed_matches(league_id)

        def decide(league: League) -> tuple[Fact, ...]:
            return steps.step_facts(league, step, played.results, tables, disputed, at)

        with self.leagues.naming():
            if step == "expire":
                await writer.execute(
                    steps.expire, league_id, tables, disputed, at=at, expected_version=expected_version
                )
            else:
                # Searching for even schedules is slow.
                await writer.execute_composed(
                    commands.league_change, league_id, decide, expected_version=expected_version
                )

    async def open_table(self, league_id: UUID, table: TableKey, expected_version: int) -> None:
        """Open a table's match, unless open; raise `StaleVersion`, or `LeagueRefused` if its round is not open."""

        def command(matches: Matches) -> Match:
            return commands.open_table(matches, league_id, table, at=now(), expected_version=expected_version)

        await self.leagues.tables.writer.execute(command)

    async def adjudicate(self, league_id: UUID, table: TableKey, answer: AnswerLines) -> None:
        """Decide a table by the lines of bots; raise `LeagueRefused` unless it is left to them."""
        await self.leagues.tables.writer.execute(steps.adjudicate, league_id, table, answer.answer, at=now())


def provide_duties(leagues: NamedDependency[LeagueService]) -> LeagueDuties:
    """Provide the duties of leagues."""
    return LeagueDuties(leagues)
