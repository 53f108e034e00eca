"""`esporles tournament`: tournaments of the running service, and whole tournaments of bots."""

import json
from argparse import ArgumentParser, Namespace
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, Final

from domain.kernel.title import Titles
from ops.console import NEGATIVE, SUCCESS, Finding, WrongUsage, add_data_option, result_writer, table
from ops.players import players_of
from ops.progress import Steps, progress
from ops.service_client import ServiceAddress, find_address
from ops.stores import read_settings
from ops.tournaments.organising import (
    Request,
    add_penalty,
    add_shared,
    announce,
    numbers,
    penalty_of,
    quote_word,
    read_json,
    send_file,
    send_request,
    write_file,
)
from ops.tournaments.seeded import service_of_event
from ops.tournaments.simulate import Moment, Simulated, ask_service, name_of, plan_of
from ops.tournaments.simulate import simulate as simulated
from projections.platform.settings import Settings

SEED: Final = (
    "repeat a call with the same seed to resume it; with --running the seed determines the pairings only,"
    " not the luck of the matches"
)
PLAYERS_MAX: Final = 1_000
ROUNDS_MAX: Final = 60
WORKERS_MAX: Final = 64
EVENTS: Final = {
    "show": "show a tournament as JSON",
    "standings": "show the standings",
    "pair": "pair the next round",
    "publish": "publish the proposed round and open its matches",
    "close": "close the round",
}


def arguments(parser: ArgumentParser) -> None:
    """Add `--data` and subcommands (name in `what`): lists and steps of events, files, `simulate`, organisers' acts.

    Each subcommand has `--data` and `--json` too.
    """
    add_data_option(parser, "the data folder of the running service")
    commands = parser.add_subparsers(dest="what", required=True, metavar="COMMAND")
    parsers = {"list": commands.add_parser("list", help="list tournaments, the latest first", allow_abbrev=False)}
    for name, help_text in EVENTS.items():
        parsers[name] = commands.add_parser(name, help=help_text, allow_abbrev=False)
        parsers[name].add_argument("event", metavar="EVENT")
    parsers["open"] = commands.add_parser("open", help="create a tournament from a plan (JSON)", allow_abbrev=False)
    parsers["open"].add_argument("plan", type=Path, metavar="PLAN")
    parsers["export"] = commands.add_parser(
        "export", help="export players, results or standings to a file", allow_abbrev=False
    )
    parsers["export"].add_argument("event", metavar="EVENT")
    parsers["export"].add_argument(
        "file", metavar="FILE", help="players, results, standings, crosstable or prizes, as .csv or .json; or event.trf"
    )
    parsers["export"].add_argument("--out", type=Path, required=True)
    parsers["import"] = commands.add_parser("import", help="import players or results from a file", allow_abbrev=False)
    parsers["import"].add_argument("event", metavar="EVENT")
    parsers["import"].add_argument("kind", choices=("players", "results"))
    parsers["import"].add_argument("file", type=Path, metavar="FILE")
    parsers["simulate"] = commands.add_parser(
        "simulate", help="simulate a tournament of bots on a temporary service", allow_abbrev=False
    )
    simulation(parsers["simulate"], players_of(parser).titles)
    parsers |= add_organiser_commands(commands)
    for each in parsers.values():
        add_shared(each, "the data folder of the running service")


def add_organiser_commands(commands: Any) -> dict[str, ArgumentParser]:
    """Add `enter`, `announce`, `result` and `penalty`, each with EVENT; return their parsers by name."""
    enter_command = commands.add_parser("enter", help="enter a player, or bots", allow_abbrev=False)
    announce_command = commands.add_parser("announce", help="post an announcement", allow_abbrev=False)
    result = commands.add_parser(
        "result", help="record the result of an over-the-board table; with --reason, as a ruling", allow_abbrev=False
    )
    penalty = commands.add_parser("penalty", help="deduct points from a player, or give them back", allow_abbrev=False)
    for each in (enter_command, announce_command, result, penalty):
        each.add_argument("event", metavar="EVENT")
    entrant = enter_command.add_mutually_exclusive_group(required=True)
    entrant.add_argument("--person", default="", help="an account, by name or id")
    entrant.add_argument("--bot", default="")
    entrant.add_argument("--name", default="", help="a player without an account")
    enter_command.add_argument("--count", type=int, default=1, help="number of bots")
    announce_command.add_argument("text", metavar="TEXT")
    result.add_argument("round", type=int, metavar="ROUND")
    result.add_argument("table", type=int, metavar="TABLE")
    result.add_argument("--scores", required=True, help="by seat, separated by commas")
    result.add_argument("--places", required=True, help="by seat, separated by commas")
    result.add_argument("--reason", default="")
    penalty.add_argument("entry", metavar="ENTRY", help="an entry, such as e3")
    add_penalty(penalty)
    return {"enter": enter_command, "announce": announce_command, "result": result, "penalty": penalty}


def enter(path: str, arguments: Namespace) -> Request:
    """Build the request (method, path, body) to enter a person, a named player or a number of bots."""
    entrant = {"person": arguments.person, "bot": arguments.bot, "name": arguments.name, "count": arguments.count}
    return "POST", f"{path}/entries", entrant


def result_of(path: str, arguments: Namespace) -> Request:
    """Build the request to set a table's result, or a ruling if a reason is given.

    Raises `WrongUsage` for scores or places that are no numbers.
    """
    table_path = f"{path}/rounds/{arguments.round}/tables/{arguments.table}"
    result = {"scores": numbers(arguments.scores, "--scores"), "places": numbers(arguments.places, "--places")}
    if arguments.reason:
        return "PUT", f"{table_path}/ruling", {**result, "reason": arguments.reason}
    return "PUT", f"{table_path}/result", result


def penalty(path: str, arguments: Namespace) -> Request:
    """Build the request to give a penalty."""
    return "POST", f"{path}/penalties", {"entry": arguments.entry, **penalty_of(arguments)}


ORGANISING: Final = {"enter": enter, "announce": announce, "result": result_of, "penalty": penalty}


def describe_event(event: Any) -> str:
    """Describe a tournament in one line: name, status, the number still taking part, and the latest round."""
    player_count = sum(entry["status"] == "in" for entry in event["entries"])
    round_ = f", round {event['rounds'][-1]['round']} {event['rounds'][-1]['status']}" if event["rounds"] else ""
    return f"{event['plan']['name']}  {event['status']}, {player_count} players{round_}"


def simulation(parser: ArgumentParser, titles: Titles) -> None:
    """Add the options of `simulate`; by default 64 greedy and random bots play 6 rounds at tables of 4."""
    parser.add_argument("--title", choices=sorted(titles), required=True)
    parser.add_argument("--players", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--size", type=int, default=4, help="seats per table")
    parser.add_argument("--bots", default="greedy,random", help="bots that play, in equal shares, separated by commas")
    parser.add_argument(
        "--option", action="append", default=[], metavar="K=V", help="an option of the game; may be repeated"
    )
    parser.add_argument("--seed", type=int, help=SEED)
    parser.add_argument("--workers", type=int, default=2, help="number of worker processes of the temporary service")
    parser.add_argument("--running", action="store_true", help="use the service that runs on the data folder")


def run(arguments: Namespace) -> int:
    """Run the subcommand through the running service, print its answer and return `SUCCESS`.

    `publish` and `close` act on the latest round. `simulate` needs no service and may return `NEGATIVE`. Otherwise
    raises `Finding` if none runs, it refuses, or there is no round; `WrongUsage` for files and numbers that cannot be
    read.
    """
    if arguments.what == "simulate":
        return simulate(arguments)
    settings = read_settings(arguments)
    service = require_address(settings)
    write = result_writer(arguments.json)
    if arguments.what == "list":
        return print_list(ask_service(service, "GET", "/tournaments"), arguments)
    if arguments.what == "open":
        created = ask_service(service, "POST", "/tournaments", {"plan": read_json(arguments.plan)})
        write(created, f"opened   {created['eventId']}")
        return SUCCESS
    path = f"/tournaments/{quote_word(arguments.event)}"
    if arguments.what == "standings":
        return answer_standings(ask_service(service, "GET", f"{path}/standings"), arguments)
    if arguments.what == "export":
        return write_file(service, f"{path}/files/{quote_word(arguments.file)}", arguments)
    if arguments.what == "import":
        return send_file(service, path, arguments.kind, arguments)
    if arguments.what in ORGANISING:
        return send_request(service, ORGANISING[arguments.what](path, arguments), arguments, describe_event)
    event = ask_service(service, "GET", path)
    if arguments.what == "pair":
        event = ask_service(service, "POST", f"{path}/pairings", {})
    elif arguments.what in {"publish", "close"}:
        if not event["rounds"]:
            raise Finding("the tournament has no round yet")
        step = {"publish": "publication", "close": "closing"}[arguments.what]
        event = ask_service(service, "POST", f"{path}/rounds/{event['rounds'][-1]['round']}/{step}", {})
    write(event, json.dumps(event, indent=2, ensure_ascii=False))
    return SUCCESS


def require_address(settings: Settings) -> ServiceAddress:
    """Return the private address of the running service; raise `Finding` if none runs."""
    service = find_address(settings.data)
    if service is None:
        raise Finding(f"no service is running on {settings.data}; start it with `esporles serve`")
    return service


def print_list(events: Any, arguments: Namespace) -> int:
    """Print a table of tournaments in the given order, or their JSON; return `SUCCESS`."""
    rows = [("EVENT", "NAME", "TITLE", "STATUS", "PEOPLE", "ROUNDS")]
    rows += [
        (each["eventId"], each["name"], each["title"], each["status"], str(each["entries"]), str(each["rounds"]))
        for each in events["events"]
    ]
    result_writer(arguments.json)(events, table(rows, right=frozenset({4, 5})))
    return SUCCESS


def answer_standings(response: Any, arguments: Namespace) -> int:
    """Print a table of standings in the given order, or their JSON; return `SUCCESS`."""
    rows = [("RANK", "NAME", "POINTS", "PLAYED", "WINS")]
    rows += [
        (str(row["rank"]), row["name"], row["points"], str(row["played"]), str(row["wins"]))
        for row in response["standings"]
    ]
    result_writer(arguments.json)(response, table(rows, right=frozenset({0, 2, 3, 4})))
    return SUCCESS


def print_progress(step: Steps, moment: Moment) -> None:
    """Print the progress of a tournament."""
    position = f"round {moment.round} of {moment.rounds}, {moment.tables_over} of {moment.tables} tables over"
    step(moment.matches_over, moment.matches, what=f"{position}, {moment.matches_per_minute:.0f} matches a minute")


def simulate(arguments: Namespace) -> int:
    """Play a whole tournament of bots and print a report; return `NEGATIVE` if results were lost or doubled.

    It has a service of its own, with `--running` the running one; the same seed and options resume an interrupted one.
    Raises `WrongUsage` for options that do not fit together, `Finding` if the tournament does not get to its end.
    """
    for name, number_max in (("players", PLAYERS_MAX), ("rounds", ROUNDS_MAX), ("workers", WORKERS_MAX)):
        number_min = 2 if name == "players" else 1
        if not number_min <= getattr(arguments, name) <= number_max:
            raise WrongUsage(
                f"invalid --{name} {getattr(arguments, name)}: expected a number from {number_min} to {number_max}"
            )
    if not 2 <= arguments.size <= 5:
        raise WrongUsage(f"invalid --size {arguments.size}: expected a number from 2 to 5")
    bots, bot_kinds = tuple(arguments.bots.split(",")), players_of(arguments).bots
    for bot in bots:
        if bot not in bot_kinds:
            raise WrongUsage(f"unknown bot {bot!r}; choose from {', '.join(sorted(bot_kinds))}")
        if not bot_kinds[bot].can_play(arguments.title):
            raise WrongUsage(f"the bot {bot!r} cannot play {arguments.title}")
    options = dict(pair_of(option) for option in arguments.option)
    plan = plan_of(arguments.title, arguments.rounds, arguments.size, options, arguments.seed)
    service: AbstractContextManager[ServiceAddress]
    if arguments.running:
        service = nullcontext(require_address(read_settings(arguments)))
    else:
        name, is_kept = name_of(plan, bots, arguments.players), arguments.seed is not None
        service = service_of_event(name, plan["seed"], arguments.workers, is_kept=is_kept)
    with service as address, progress(f"tournament with seed {plan['seed']}") as step:
        report = simulated(address, plan, bots, arguments.players, lambda moment: print_progress(step, moment))
    result_writer(arguments.json)(report, text(report))
    return NEGATIVE if report.lost or report.doubled else SUCCESS


def pair_of(option: str) -> tuple[str, str]:
    """Split an option of the form K=V into key and value; raise `WrongUsage` without an equals sign."""
    key, separator, value = option.partition("=")
    if not separator:
        raise WrongUsage(f"invalid --option {option!r}: expected K=V")
    return key, value


def text(report: Simulated) -> str:
    """Format the standings as a table, and below them matches, pace, and lost and doubled results."""
    rows = [("RANK", "NAME", "POINTS", "PLAYED", "WINS")]
    rows += [(str(row.rank), row.name, row.points, str(row.played), str(row.wins)) for row in report.standings]
    figures = [
        f"event    {report.event} of {report.title}, seed {report.seed}",
        (
            f"played   {report.matches} matches of {report.players} bots in {report.rounds} rounds, "
            f"{report.entries:,} entries, in {report.seconds:,.0f} s"
            + (f"; {report.taken_up} of them played by an earlier run" if report.taken_up else "")
        ),
        f"pace     {report.matches_per_minute:,.1f} matches a minute",
        f"lost     {'; '.join(report.lost) or 'none'}",
        f"doubled  {'; '.join(report.doubled) or 'none'}",
    ]
    return table(rows, right=frozenset({0, 2, 3, 4})) + "\n\n" + "\n".join(figures)
