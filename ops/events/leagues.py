"""What the organiser of a league does from the console; the running service does it."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any, Final

from ops.door import Door
from ops.events.organising import Request, done, given, numbers, quoted, read_json, taken

PLAIN: Final = {
    "draw": ("draw", "the groups of the season and their schedules"),
    "round": ("rounds", "open the next round and its matches"),
    "close": ("close", "the season is over"),
}
"""Command -> the address it asks, and what it does."""


def commands(does: Any) -> dict[str, ArgumentParser]:
    """The parsers of all these commands."""
    made = {"open": does.add_parser("open", help="a new league from a plan (JSON)")}
    made["open"].add_argument("plan", type=Path, metavar="PLAN")
    told = {
        "season": "the next season takes entries",
        "enter": "somebody plays the next season",
        "import": "players of the next season from a file (CSV or JSON)",
        "export": "standings, crosstable or fixtures of a season as a file",
        "rule": "what a table counts as",
        **{name: what for name, (_, what) in PLAIN.items()},
    }
    for name, what in told.items():
        made[name] = does.add_parser(name, help=what)
        made[name].add_argument("league", metavar="LEAGUE")
    made["season"].add_argument("name", metavar="NAME")
    made["enter"].add_argument("player", metavar="PLAYER", help="an account by name or id, or a bot by its full name")
    made["import"].add_argument("file", type=Path, metavar="FILE")
    made["export"].add_argument("file", metavar="FILE", help="standings, crosstable or fixtures .csv or .json")
    made["export"].add_argument("--season", type=int, default=1)
    made["export"].add_argument("--out", type=Path, required=True)
    for number in ("group", "round", "table"):
        made["rule"].add_argument(number, type=int, metavar=number.upper())
    made["rule"].add_argument("--places", default="", help="by seat, with commas between")
    made["rule"].add_argument("--scores", default="", help="by seat, with commas between")
    made["rule"].add_argument("--void", action="store_true", help="the table counts for nobody")
    made["rule"].add_argument("--reason", default="")
    return made


def run(door: Door, arguments: Namespace) -> int:
    if arguments.does == "open":
        return done(door, ("POST", "/leagues", {"plan": read_json(arguments.plan)}), arguments, stands)
    path = f"/leagues/{quoted(arguments.league)}"
    if arguments.does == "import":
        return taken(door, path, "players", arguments)
    if arguments.does == "export":
        return given(door, f"{path}/seasons/{arguments.season}/files/{quoted(arguments.file)}", arguments)
    return done(door, request(path, arguments), arguments, stands)


def request(path: str, arguments: Namespace) -> Request:
    if arguments.does in PLAIN:
        return "POST", f"{path}/{PLAIN[arguments.does][0]}", {}
    if arguments.does == "season":
        return "POST", f"{path}/seasons", {"name": arguments.name}
    if arguments.does == "enter":
        return "POST", f"{path}/entries", {"player": arguments.player}
    ruling = {name: getattr(arguments, name) for name in ("group", "round", "table", "void", "reason")}
    by_seat = {name: numbers(getattr(arguments, name), f"--{name}") for name in ("places", "scores")}
    return "POST", f"{path}/rulings", ruling | by_seat


def stands(league: Any) -> str:
    """The league in a line."""
    if not league["seasons"]:
        return f"{league['leagueId']}  {league['plan']['name']}: no season yet"
    season = league["seasons"][-1]
    rounds = f", round {season['roundsOpened']} of {season['rounds']} open" if season["rounds"] else ""
    who = f"{season['players']} players{rounds}"
    return f"{league['leagueId']}  {league['plan']['name']}, {season['name']}: {season['status']}, {who}"
