"""Console commands for organisers of leagues, sent to the running service."""

import json
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any, Final

from ops.console import Finding
from ops.service_client import ServiceAddress, fetch
from ops.tournaments.organising import (
    Request,
    add_penalty,
    announce,
    numbers,
    penalty_of,
    quote_word,
    read_json,
    send_file,
    send_request,
    write_file,
)

PLAIN_COMMANDS: Final = {
    "draw": ("draw", "draw the groups of the season and their schedules"),
    "round": ("rounds", "open the next round and start its matches"),
    "close": ("close", "close the season"),
}
"""Command -> path and description."""
FILE_COMMANDS: Final = {"import": "players", "results": "results"}
"""Command -> content of the file."""
TABLE: Final = ("group", "round", "table")
BY_SEAT: Final = ("places", "scores")


def commands(subparsers: Any) -> dict[str, ArgumentParser]:
    """Add all subcommands for organisers with their arguments; return their parsers by name.

    All but `open`, which takes a PLAN, take a LEAGUE first.
    """
    parsers = {"open": subparsers.add_parser("open", help="create a league from a plan (JSON)")}
    parsers["open"].add_argument("plan", type=Path, metavar="PLAN")
    help_texts = {
        "season": "open registration for the next season",
        "enter": "enter a player for the next season",
        "import": "import players for the next season from a file (CSV or JSON)",
        "export": "export standings, crosstable or fixtures of a season to a file",
        "rule": "rule on the result of a table",
        "penalty": "deduct points from a player, or give them back",
        "announce": "post an announcement",
        "result": "record the result of an over-the-board table",
        "results": "import results of over-the-board tables from a file (CSV or JSON)",
        **{name: help_text for name, (_, help_text) in PLAIN_COMMANDS.items()},
    }
    for name, help_text in help_texts.items():
        parsers[name] = subparsers.add_parser(name, help=help_text)
        parsers[name].add_argument("league", metavar="LEAGUE")
    parsers["season"].add_argument("name", metavar="NAME")
    parsers["enter"].add_argument(
        "player", metavar="PLAYER", help="an account by name or id, or a bot by its full name"
    )
    parsers["penalty"].add_argument("player", metavar="PLAYER", help="a player of the season by name or id")
    add_penalty(parsers["penalty"])
    parsers["announce"].add_argument("text", metavar="TEXT")
    for name in ("import", "results"):
        parsers[name].add_argument("file", type=Path, metavar="FILE")
    parsers["export"].add_argument("file", metavar="FILE", help="standings, crosstable or fixtures, as .csv or .json")
    parsers["export"].add_argument("--season", type=int, help="number of the season; default: the latest")
    parsers["export"].add_argument("--out", type=Path, required=True)
    for name in ("rule", "result"):
        for number in TABLE:
            parsers[name].add_argument(number, type=int, metavar=number.upper())
        for by_seat in BY_SEAT:
            is_needed = name == "result"
            parsers[name].add_argument(
                f"--{by_seat}", default="", required=is_needed, help="by seat, separated by commas"
            )
    parsers["rule"].add_argument("--void", action="store_true", help="void the table")
    parsers["rule"].add_argument("--reason", default="")
    reason_help = "required after the deadline, or to replace a result"
    for name in ("result", "results"):
        parsers[name].add_argument("--reason", default="", help=reason_help)
    return parsers


def run(service: ServiceAddress, arguments: Namespace) -> int:
    """Send a subcommand to the running service, print the league, or the file's result, and return `SUCCESS`.

    Raises `Finding` if the service refuses or there is no season to export, `WrongUsage` for a file or numbers that
    cannot be read.
    """
    if arguments.does == "open":
        return send_request(
            service, ("POST", "/leagues", {"plan": read_json(arguments.plan)}), arguments, describe_league
        )
    path = f"/leagues/{quote_word(arguments.league)}"
    if arguments.does in FILE_COMMANDS:
        return send_file(service, path, FILE_COMMANDS[arguments.does], arguments, getattr(arguments, "reason", ""))
    if arguments.does == "export":
        season = load_latest_season(service, path) if arguments.season is None else arguments.season
        return write_file(service, f"{path}/seasons/{season}/files/{quote_word(arguments.file)}", arguments)
    return send_request(service, request(path, arguments), arguments, describe_league)


def load_latest_season(service: ServiceAddress, path: str) -> int:
    """Return the number of the latest season of a league; raise `Finding` if it has none."""
    league = json.loads(fetch(service, "GET", f"/api{path}"))
    if not league["seasons"]:
        raise Finding(f"{league['plan']['name']} has no season yet")
    return int(league["seasons"][-1]["number"])


def request(path: str, arguments: Namespace) -> Request:
    """Build the request (method, path, body) of a subcommand; `rule` is the default.

    Raises `WrongUsage` for scores or places that are no numbers.
    """
    if arguments.does in PLAIN_COMMANDS:
        return "POST", f"{path}/{PLAIN_COMMANDS[arguments.does][0]}", {}
    if arguments.does == "season":
        return "POST", f"{path}/seasons", {"name": arguments.name}
    if arguments.does == "enter":
        return "POST", f"{path}/entries", {"player": arguments.player}
    if arguments.does == "announce":
        return announce(path, arguments)
    if arguments.does == "penalty":
        return "POST", f"{path}/penalties", {"player": arguments.player, **penalty_of(arguments)}
    table = {name: getattr(arguments, name) for name in TABLE}
    by_seat = {name: numbers(getattr(arguments, name), f"--{name}") for name in BY_SEAT}
    if arguments.does == "result":
        return "POST", f"{path}/results", table | by_seat | {"reason": arguments.reason}
    return "POST", f"{path}/rulings", table | by_seat | {"void": arguments.void, "reason": arguments.reason}


def describe_league(league: Any) -> str:
    """Describe a league in one line: id and name, and its latest season's status, players and open rounds."""
    if not league["seasons"]:
        return f"{league['leagueId']}  {league['plan']['name']}: no season yet"
    season = league["seasons"][-1]
    rounds = f", round {season['roundsOpened']} of {season['rounds']} open" if season["rounds"] else ""
    player_text = f"{season['players']} players{rounds}"
    return f"{league['leagueId']}  {league['plan']['name']}, {season['name']}: {season['status']}, {player_text}"
