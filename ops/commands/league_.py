"""`esporles league`: list leagues, standings and available schedules."""

from argparse import SUPPRESS, ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any
from uuid import UUID

from api.accounts.display_names import names_of
from api.leagues.files import render_file
from api.leagues.responses import actors_of, encode_row, encode_season, with_names
from domain.designs.exact import choices
from domain.designs.near import schedule
from domain.designs.shapes import BadSize, balance
from domain.kernel.loading import load
from domain.leagues.standings import hall_of_fame
from domain.leagues.state import LEAGUE, League
from domain.matches.errors import NoSuchStream
from domain.matches.log.records import Stream
from ops.accounts import open_people
from ops.console import SUCCESS, Finding, WrongUsage, add_data_option, result_writer, table
from ops.leagues import organising
from ops.leagues.simulation.options import add_options
from ops.players import players_of
from ops.service_client import find_address
from ops.stores import open_matches, read_settings
from projections import leagues
from projections.catalogue import prepare
from projections.platform.paging import LIMIT_MAX
from projections.platform.store import ReadStore


def arguments(parser: ArgumentParser) -> None:
    """Add `--data` and the subcommands `list`, `standings`, `designs`, `simulate` and the organisers' ones.

    Each has `--json`.
    """
    add_data_option(parser)
    commands = parser.add_subparsers(dest="does", required=True, metavar="COMMAND")
    list_command = commands.add_parser("list", help="list leagues")
    standings = commands.add_parser("standings", help="show the standings of a season, and the champions")
    standings.add_argument("league", help="id of the league")
    standings.add_argument("--season", type=int, help="number of the season (default: the latest)")
    standings.add_argument("--csv", action="store_true", help="print CSV")
    designs = commands.add_parser("designs", help="list the schedules for a group, or print one with its balance")
    designs.add_argument("--players", type=int, required=True)
    designs.add_argument("--size", type=int, required=True, help="seats per table")
    designs.add_argument("--rounds", type=int, help="print a schedule with this number of rounds, balanced or not")
    simulate = commands.add_parser(
        "simulate", help="simulate a year of a league on a temporary service, and check that it runs itself"
    )
    add_options(simulate)
    for command in (list_command, standings, designs, simulate, *organising.commands(commands).values()):
        add_data_option(command, default=SUPPRESS)
        command.add_argument("--json", action="store_true", default=SUPPRESS, help="print one JSON document to stdout")


def run(arguments: Namespace) -> int:
    """Run the subcommand and return its exit status.

    Raises `Finding` if an organiser's command finds no running service, or as the subcommand; `WrongUsage` for its bad
    arguments.
    """
    reports = {"list": report_list, "standings": report_standings, "designs": report_designs}
    if arguments.does in reports:
        return reports[arguments.does](arguments)
    if arguments.does == "simulate":
        # Other commands do not need the service in their process, which takes seconds to import.
        simulate: Callable[[Namespace], int] = load("ops.leagues.simulation.command", "run")
        return simulate(arguments)
    settings = read_settings(arguments)
    service = find_address(settings.data)
    if service is None:
        raise Finding(f"no service is running on {settings.data}; start it with `esporles serve`")
    return organising.run(service, arguments)


def open_reads(arguments: Namespace) -> ReadStore:
    """Open the read models and create missing tables; the caller closes the store."""
    store = ReadStore(read_settings(arguments).reads_url)
    prepare(store)
    return store


def every_league(store: ReadStore) -> Iterator[leagues.LeagueRow]:
    """Yield all leagues from all pages, latest first."""
    page = leagues.leagues(store, LIMIT_MAX)
    yield from page.items
    while page.next is not None:
        page = leagues.leagues(store, LIMIT_MAX, page.next)
        yield from page.items


def report_list(arguments: Namespace) -> int:
    """Print a table of all leagues, latest first, with their current season; return `SUCCESS`."""
    with closing(open_reads(arguments)) as store:
        encoded = [encode_row(row) for row in every_league(store)]
    rows: list[tuple[str, ...]] = [("league", "name", "title", "size", "season", "players")]
    for each in encoded:
        season = f"{each.season} ({each.status})" if each.season else "-"
        rows.append((str(each.league_id), each.name, each.title, str(each.size), season, str(each.players)))
    text = table(rows, right=frozenset({3, 5})) if encoded else "no leagues"
    result_writer(arguments.json)({"leagues": encoded}, text)
    return SUCCESS


def stream_of(arguments: Namespace) -> Stream[League]:
    """Return a league from the store; raise `WrongUsage` if the id is no UUID, `Finding` if there is no such league."""
    try:
        league_id = UUID(arguments.league)
    except ValueError as error:
        raise WrongUsage(f"invalid league id {arguments.league!r}") from error
    with open_matches(read_settings(arguments), players_of(arguments).titles, to_write=False) as matches:
        try:
            return matches.streams.get(LEAGUE, league_id)
        except NoSuchStream as unknown:
            raise Finding(str(unknown)) from unknown


def report_standings(arguments: Namespace) -> int:
    """Print the standings of a season, the latest by default, and the champions of all seasons; return `SUCCESS`.

    `--csv` prints the standings alone, unless `--json` is given. Raises `Finding` if there is no such league or season,
    `WrongUsage` if the id is no UUID.
    """
    stream = stream_of(arguments)
    league = stream.state
    number = arguments.season or len(league.seasons)
    if not 1 <= number <= len(league.seasons):
        raise Finding(f"{league.plan.name} has {len(league.seasons)} seasons; no season {number}")
    with closing(open_reads(arguments)) as store, open_people(read_settings(arguments)) as people:
        matches = leagues.played_matches(store, league.id)
        names = names_of(people, actors_of(league))
    encoded = encode_season(stream, number, matches, names)
    fame = [(each.name, with_names(each.champions, names)) for each in hall_of_fame(league, matches.results)]
    if arguments.csv and not arguments.json:
        result_writer(False)(None, render_file("standings", "csv", encoded).decode())
        return SUCCESS
    parts = [f"{league.plan.name}, {encoded.season.name} ({encoded.season.status})"]
    for group in encoded.groups:
        rows: list[tuple[str, ...]] = [("", "player", "points", "tables", "wins")]
        rows += [
            (str(line.rank), line.player.name, line.points_text, str(line.played), str(line.wins))
            for line in group.lines
        ]
        parts.append(f"{group.division}, group {group.group}\n{table(rows, right=frozenset({0, 2, 3, 4}))}")
    parts += [f"{season}: {', '.join(player.name for player in first)}" for season, first in fame]
    result_writer(arguments.json)({"season": encoded, "champions": fame}, "\n\n".join(parts))
    return SUCCESS


def report_designs(arguments: Namespace) -> int:
    """Print the exact schedules for a group or, with `--rounds`, one schedule and its balance; return `SUCCESS`.

    Raises `WrongUsage` for sizes that no schedule fits. Players are numbered from 1 in text, from 0 in JSON.
    """
    try:
        if arguments.rounds is not None:
            design = schedule(arguments.players, arguments.size, arguments.rounds)
            counts = balance(design)
            document: Any = {"design": design, "balance": counts}
            text = f"{design.built}: each pair meets {counts.meetings_min} to {counts.meetings_max} times, "
            text += f"each player plays at {counts.played_min} to {counts.played_max} tables "
            text += f"and sits in each seat {counts.seats_min} to {counts.seats_max} times\n"
            rounds = (
                " | ".join(" ".join(str(player + 1) for player in seats) for seats in each) for each in design.rounds
            )
            text += "\n".join(f"{number:>3}  {tables}" for number, tables in enumerate(rounds, 1))
        else:
            designs = choices(arguments.players, arguments.size)
            document = {"choices": designs}
            rows: list[tuple[str, ...]] = [("meetings", "rounds", "tables", "full rounds", "even seats", "built")]
            for each in designs:
                cells = ("yes" if each.is_full else "no", "yes" if each.seats_even else "no", each.built)
                rows.append((str(each.meetings), str(each.rounds), str(each.tables), *cells))
            text = table(rows, right=frozenset({0, 1, 2})) if designs else "no balanced schedule known; try --rounds"
    except BadSize as bad:
        raise WrongUsage(str(bad)) from bad
    result_writer(arguments.json)(document, text)
    return SUCCESS
