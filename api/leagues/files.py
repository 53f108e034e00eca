"""Import and export of league files: lists of a season, players, and face-to-face results."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Final

import msgspec

from api.accounts.display_names import names_of
from api.http.identity import Person
from api.leagues.awards import season_awards
from api.leagues.season_schemas import FixtureShown, LeagueLineShown, SeasonAwardsShown, SeasonShown
from api.leagues.service import LeagueService, OrganisedLeague
from api.matches.schemas import PlayerShown
from api.tournaments.files import cell_text
from domain.kernel.loading import load
from domain.kernel.values import Value
from domain.leagues import seasons
from domain.leagues.face_to_face import ResultRow, enter_results, missing_facts
from domain.leagues.facts import Fact, PlayerEntered
from domain.leagues.invitation_facts import InvitedTo, scopes_in
from domain.leagues.plan import LeaguePlan
from domain.leagues.state import League
from domain.matches.errors import BotCannotPlay, UnknownActor
from domain.matches.facts import Actor, is_bot
from domain.matches.log.records import Stream
from domain.matches.seats.acceptance import needs_acceptance
from domain.ratings.errors import EventWithoutPrograms
from domain.roles.errors import NoSuchPerson
from domain.standings.errors import ImportRefused
from domain.standings.results import Results
from domain.tournaments.errors import NoSuchRound
from domain.tournaments.imports import csv_of, digest_of, rows_of

NAMES: Final = ("standings", "crosstable", "fixtures", "prizes")
PAPERS: Final = ("standings", "crosstable", "certificates")
"""Lists with a PDF."""
RESULTS_AT_ONCE_MAX: Final = 8
"""Tables imported in one transaction; ending a running match takes some milliseconds."""


class PlayerRow(Value, frozen=True, omit_defaults=True):
    """A player for the next season: an account by id or name, or a bot by its full name."""

    player: str
    seeding: Annotated[int, msgspec.Meta(ge=0, le=100_000)] = 0


def parse_name(file_name: str) -> tuple[str, str]:
    """Split a file name, such as `standings.csv`, into list and format; raise `NoSuchRound` if unknown."""
    name, _, kind = file_name.partition(".")
    if kind == "pdf" and name in PAPERS:
        return name, kind
    if name not in NAMES or kind not in {"csv", "json"}:
        raise NoSuchRound(
            f"unknown file {file_name!r}; known: {', '.join(NAMES)}, each as .csv or .json;"
            f" and {', '.join(PAPERS)} as .pdf"
        )
    return name, kind


async def season_file(name: str, kind: str, leagues: LeagueService, stream: Stream[League], number: int) -> bytes:
    """Return the content of a file of a season, counted from 1.

    Raise `NoSuchStream` without such a season, `LeagueRefused` for certificates before it is closed.
    """
    if name == "prizes":
        return render_rows(kind, *prizes(await season_awards(leagues, stream, number)))
    season = await leagues.season(stream, number)
    if kind != "pdf":
        return render_file(name, kind, season)
    # The library takes 0.1 s to import.
    content: bytes = await asyncio.to_thread(
        load("api.leagues.pdf", "render_paper"), name, await leagues.encode(stream), season
    )
    return content


def render_file(name: str, kind: str, season: SeasonShown) -> bytes:
    """Return `standings`, `crosstable` or `fixtures` as CSV or JSON."""
    return render_rows(kind, *{"standings": standings, "crosstable": crosstable, "fixtures": fixtures}[name](season))


def render_rows(kind: str, heading: list[str], rows: list[list[Any]]) -> bytes:
    """Return CSV with a heading, or a JSON list of objects with its names."""
    if kind == "csv":
        return csv_of(heading, rows)
    return msgspec.json.encode([dict(zip(heading, row, strict=True)) for row in rows])


def prizes(awards: SeasonAwardsShown) -> tuple[list[str], list[list[Any]]]:
    """Return the heading and a row for every award of every group."""
    heading = ["group", "rank", "player", "name", "amount", "currency", "prize"]
    return heading, [
        [each.group, each.rank, *player_cells(each.player), each.amount, each.currency, each.prize]
        for each in awards.awards
    ]


def standings(season: SeasonShown) -> tuple[list[str], list[list[Any]]]:
    """Return the heading and the rows of the tables of all groups."""
    heading = ["season", "group", "division", "rank", "player", "name", "points", "played", "wins"]
    return heading, [
        [season.season.number, group.group, group.division, line.rank, *player_cells(line.player), *totals_of(line)]
        for group in season.groups
        for line in group.lines
    ]


def crosstable(season: SeasonShown) -> tuple[list[str], list[list[Any]]]:
    """Return the heading and a row for every player of every group, with a cell for each opened round."""
    rounds = season.season.rounds_opened
    heading = ["group", "rank", "player", "name", *(f"round {number}" for number in range(1, rounds + 1))]
    return heading, [
        [group.group, line.rank, *player_cells(line.player), *pad(map(cell_text, line.cells), rounds)]
        for group in season.groups
        for line in group.lines
    ]


def pad(cells: Iterable[str], count: int) -> list[str]:
    """Pad cells to a number of columns; smaller groups have fewer rounds."""
    found = list(cells)
    return found + [""] * (count - len(found))


def fixtures(season: SeasonShown) -> tuple[list[str], list[list[Any]]]:
    """Return the heading and a row for every seat of every table of the schedule."""
    heading = ["round", "group", "table", "seat", "player", "name", "place", "score", "ruled", "void", "unverified"]
    return heading, [
        [
            each.round,
            each.group,
            each.table,
            seat + 1,
            *player_cells(player),
            *result_cells(each, seat),
            *flags_of(each),
        ]
        for each in season.fixtures
        for seat, player in enumerate(each.players)
    ]


def flags_of(fixture: FixtureShown) -> tuple[bool, bool, bool]:
    """Return the flags of a fixture."""
    return fixture.ruled, fixture.void, fixture.unverified


def player_cells(player: PlayerShown) -> tuple[str, str]:
    """Return the id and name of a player."""
    return player.id, player.name


def totals_of(line: LeagueLineShown) -> tuple[str, int, int]:
    """Return the totals of a row."""
    return line.points_text, line.played, line.wins


def result_cells(fixture: FixtureShown, seat: int) -> tuple[int | None, int | None]:
    """Return place and score of a seat as they count; None for both without a result, also if the table is void."""
    if not fixture.places:
        return None, None
    return fixture.places[seat], fixture.counted_scores[seat] if fixture.counted_scores else None


async def import_players(league: OrganisedLeague, content: bytes) -> int:
    """Enter all players of the file in the next season, or none, and return the number of new ones.

    Bots are entered, accounts invited; both are counted. Players who are entered, invited or have declined change
    nothing. Raise `LeagueRefused` unless a season takes entries, `ImportRefused` for a bad row, `Blocked`, `OwnBlock`
    or 429 as `count_contact`.
    """
    rows = await asyncio.to_thread(rows_of, content, PlayerRow)
    state = (await league.service.stream(league.id)).state
    seasons.registering_season(state)
    accounts = await league.service.accounts.all_named(row.player for row in rows if not is_bot(row.player))
    actors = await asyncio.to_thread(actors_of_rows, league, state.plan, rows, accounts)
    count = 0

    def decide(state: League, by: Actor) -> tuple[Fact, ...]:
        nonlocal count
        entered = {entry.actor for entry in seasons.registering_season(state).entered}
        entered_or_invited = entered | {actor for actor in actors if is_asked(state, by, actor)}
        new = [(actor, row.seeding) for actor, row in zip(actors, rows, strict=True) if actor not in entered_or_invited]
        count = len(new)
        decided, added = list[Fact](), 0
        for actor, seeding in new:
            fact = seasons.enter(state, by, actor, seeding, is_organiser=True, entered=entered, added=added)
            added += isinstance(fact, PlayerEntered) and not fact.waiting
            decided.append(fact)
        return tuple(decided)

    await league.service.count_invitations(state, lambda state: decide(state, league.by))
    await league.append_from_reader(decide)
    return count


def is_asked(league: League, by: Actor, actor: Actor) -> bool:
    """Return whether an account is invited to the latest season already, or has declined."""
    number = len(league.seasons)
    has_declined = needs_acceptance(by, actor) and league.invitations.has_declined(actor, *scopes_in(number))
    return has_declined or league.invitations.is_open_for(actor, InvitedTo(number).target)


def actors_of_rows(
    league: OrganisedLeague, plan: LeaguePlan, rows: Sequence[PlayerRow], accounts: Mapping[str, Person]
) -> tuple[Actor, ...]:
    """Return the account or bot of each row, in order.

    Raise `ImportRefused`, with the row, for an unknown name, a repeated one and a bot that cannot play.
    """
    actors: dict[Actor, int] = {}
    for number, row in enumerate(rows, start=1):
        try:
            actor = league.service.require_entrant(plan, row.player, accounts.get(row.player))
        except (BotCannotPlay, EventWithoutPrograms, NoSuchPerson, UnknownActor) as refusal:
            raise ImportRefused(f"row {number}: {refusal}") from refusal
        if actors.setdefault(actor, number) != number:
            raise ImportRefused(f"row {number}: {row.player!r} is in the file twice")
    return tuple(actors)


async def import_results(league: OrganisedLeague, content: bytes, reason: str = "", *, sure: bool = False) -> int:
    """Enter the results of a file, all or none, and return their number; 0 if the file was imported before.

    An interrupted import continues. Raise `ConflictOfInterest` for an organiser who plays in the league,
    `ImportRefused` for bad rows, `WrongResult` or `LeagueRefused` as `enter_result`, and `PlacesContradict` unless
    `sure`.
    """
    await league.require_neutral("set results")
    state = (await league.service.stream(league.id)).state
    season = seasons.current_season(state)
    digest = await asyncio.to_thread(digest_of, content)
    if digest in season.imports:
        return 0
    rows = await asyncio.to_thread(rows_of, content, ResultRow)
    actors: dict[str, Actor] = {}
    for number, row in enumerate(rows, start=1):
        if row.player not in actors:
            actors[row.player] = await find_actor(league, number, row.player)
    results = await league.service.results(league.id)
    players = {holder.actor for group in season.groups for place in group.places for holder in place.holders}
    names = await asyncio.to_thread(names_of, league.service.accounts, players)
    found = await asyncio.to_thread(
        enter_results, state, rows, actors, names, digest, league.by, results, reason, sure=sure
    )
    for start in range(0, len(found), RESULTS_AT_ONCE_MAX):
        batch = found[start : start + RESULTS_AT_ONCE_MAX]
        await league.append(partial(next_part, batch, digest, results))
    return max(0, len(found) - 1)


def next_part(batch: Sequence[Fact], digest: str, results: Results, league: League, _: Actor) -> tuple[Fact, ...]:
    """Return the facts of one part that are still missing."""
    return missing_facts(league, batch, digest, results)


async def find_actor(league: OrganisedLeague, number: int, name: str) -> Actor:
    """Return the account or bot in a row; raise `ImportRefused`, with the row's number, if unknown."""
    try:
        return await league.service.find_actor(name)
    except (NoSuchPerson, UnknownActor) as error:
        raise ImportRefused(f"row {number}: {error}") from error
