"""`esporles dispute`: list, show and rule on disputes of the running service."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

import msgspec

from ops.console import SUCCESS, Finding, WrongUsage, add_data_option, result_writer, table
from ops.keys import read_key
from ops.service_client import ServiceAddress, fetch, fetch_signed, find_address
from ops.stores import read_settings
from projections.platform.paging import LIMIT_MAX


def arguments(parser: ArgumentParser) -> None:
    """Add the action (`list`, `show`, `rule`), DISPUTE, the filters of `list`, and the ruling's options and `--key`."""
    parser.add_argument("what", choices=("list", "show", "rule"))
    parser.add_argument("dispute", nargs="?", metavar="DISPUTE", help="show, rule: the id of the dispute")
    parser.add_argument("--event", metavar="ID", help="list: only disputes of this event")
    parser.add_argument("--all", action="store_true", help="list: include settled disputes")
    parser.add_argument("--by", "--as", metavar="NAME", help="rule: the arbiter")
    parser.add_argument("--key", type=Path, metavar="FILE", help="rule: the key that the arbiter signs with")
    parser.add_argument("--rule", metavar="TEXT", help="rule: the rule applied")
    parser.add_argument("--reasons", metavar="TEXT", help="rule: why")
    parser.add_argument("--resume", type=int, metavar="N", help="rule: continue the match from entry N")
    parser.add_argument("--void", action="store_true", help="rule: void the match")
    parser.add_argument("--result", metavar="POINTS:PLACES", help="rule: the result, such as 50,40:1,2")
    parser.add_argument("--warn", type=int, action="append", default=[], metavar="SEAT", help="rule: a warning")
    parser.add_argument("--points", action="append", default=[], metavar="SEAT:N", help="rule: N points less")
    parser.add_argument("--seconds", action="append", default=[], metavar="SEAT:N", help="rule: N seconds less")
    parser.add_argument("--uphold", action="store_true", help="rule, on appeal: uphold the ruling")
    add_data_option(parser)


def require_address(arguments: Namespace) -> ServiceAddress:
    """Return the address of the running service, which knows the matches in progress; raise `Finding` if none runs."""
    settings = read_settings(arguments)
    service = find_address(settings.data)
    if service is None:
        raise Finding(f"no service is running on {settings.data}; start it to work on disputes")
    return service


def dispute_id(arguments: Namespace) -> UUID:
    """Parse the id of the dispute; raise `WrongUsage` if it is missing or no UUID."""
    try:
        return UUID(arguments.dispute or "")
    except ValueError:
        raise WrongUsage(f"invalid dispute id {arguments.dispute!r}") from None


def pair(text: str, option: str) -> tuple[int, int]:
    """Parse an option of the form SEAT:N into two integers; raise `WrongUsage`, naming the option, for another form."""
    seat, _, count = text.partition(":")
    try:
        return int(seat), int(count)
    except ValueError:
        raise WrongUsage(f"invalid {option} {text!r}: expected SEAT:N") from None


def result_of(text: str) -> dict[str, Any]:
    """Parse POINTS:PLACES, such as 50,40:1,2, into the API's measure that sets a result.

    Raises `WrongUsage` if a number cannot be read.
    """
    scores, _, ranks = text.partition(":")
    try:
        points = [int(each) for each in scores.split(",")]
        ranking = [int(each) for each in ranks.split(",")]
    except ValueError:
        raise WrongUsage(f"invalid --result {text!r}: expected POINTS:PLACES, such as 50,40:1,2") from None
    return {"type": "result_set", "scores": points, "ranking": ranking}


def read_ruling(arguments: Namespace) -> dict[str, Any]:
    """Build the API's body of a ruling with its measures, of which there may be none.

    Raises `WrongUsage` without `--by`, `--rule` or `--reasons`, or for a measure that cannot be read.
    """
    for name in ("by", "rule", "reasons"):
        if not getattr(arguments, name):
            raise WrongUsage(f"rule requires --{name}")
    measures: list[dict[str, Any]] = [{"type": "seat_warned", "seat": seat} for seat in arguments.warn]
    for option, kind, field in (("points", "points_taken", "points"), ("seconds", "time_taken", "seconds")):
        for text in getattr(arguments, option):
            seat, count = pair(text, f"--{option}")
            measures.append({"type": kind, "seat": seat, field: count})
    if arguments.resume is not None:
        measures.append({"type": "line_resumed", "version": arguments.resume})
    if arguments.result is not None:
        measures.append(result_of(arguments.result))
    if arguments.void:
        measures.append({"type": "match_voided"})
    ruling = {"rule": arguments.rule, "reasons": arguments.reasons, "by": arguments.by}
    return ruling | {"measures": measures, "upheld": arguments.uphold}


def render_dispute(dispute: dict[str, Any]) -> str:
    """Format a dispute in lines, with its rulings, their measures and effect, the appeal and the official line."""
    lines = [
        f"dispute  {dispute['id']}, {dispute['status']}",
        f"match    {dispute['match']}, entry {dispute['entry']} of {dispute['line']}",
        f"raised   {dispute['raisedAt']} by {dispute['name']} (seat {dispute['seat']}): {dispute['reason']}",
        f"arbiter  {dispute['arbiterName'] or 'none yet'}",
    ]
    for ruling in dispute["rulings"]:
        lines.append(f"ruling   {ruling['at']} by {ruling['name']}, rule {ruling['rule']}: {ruling['reasons']}")
        lines += [f"         {measure['text']}" for measure in ruling["measures"]]
        lines.append(f"         before: {render_standing(ruling['before'])}; after: {render_standing(ruling['after'])}")
    if dispute["appeal"]:
        lines.append(
            f"appeal   {dispute['appeal']['at']} by {dispute['appeal']['name']}: {dispute['appeal']['reason']}"
        )
    lines.append(f"official {dispute['officialLine']}")
    return "\n".join(lines)


def render_standing(standing: dict[str, Any]) -> str:
    """Format status, points and clocks of a match in one line; clocks, given in milliseconds, in whole seconds."""
    points = ", ".join(str(each) for each in standing["scores"])
    clocks = ", ".join(str(each // 1_000) for each in standing["clocks"])
    text = f"{standing['status']} with {points} points" if points else str(standing["status"])
    return f"{text}, {clocks} s left" if clocks else text


def render_list(disputes: list[dict[str, Any]]) -> str:
    """Format disputes as a table with a heading, or as "no disputes"; reasons are cut after 60 characters."""
    if not disputes:
        return "no disputes"
    heading = ("dispute", "raised", "entry", "state", "by", "about")
    rows = [
        (each["id"], each["raisedAt"][:19], str(each["entry"]), each["status"], each["name"], each["reason"][:60])
        for each in disputes
    ]
    return table([heading, *rows], right=frozenset({2}))


def every_dispute(service: ServiceAddress, query: dict[str, str]) -> list[dict[str, Any]]:
    """Return the disputes that fit the query, from all pages of the running service; raise `Finding` if it refuses."""
    disputes: list[dict[str, Any]] = []
    parameters = {**query, "limit": str(LIMIT_MAX)}
    while True:
        page = msgspec.json.decode(fetch(service, "GET", f"/api/disputes?{urlencode(parameters)}"))
        disputes += page["disputes"]
        if page["next"] is None:
            return disputes
        parameters["before"] = str(page["next"])


def run(arguments: Namespace) -> int:
    """List disputes, or show or rule on one, through the running service; print the disputes or the dispute.

    Returns `SUCCESS`. `list` shows waiting disputes only, without `--all`. With `--key` the ruling is signed. Raises
    `WrongUsage` for bad arguments, `Finding` if no service runs or it refuses.
    """
    write = result_writer(arguments.json)
    if arguments.what == "list":
        query = {} if arguments.all else {"waiting": "true"}
        query |= {"event": arguments.event} if arguments.event else {}
        disputes = every_dispute(require_address(arguments), query)
        write({"disputes": disputes}, render_list(disputes))
        return SUCCESS
    path = f"/api/disputes/{dispute_id(arguments)}"
    if arguments.what == "show":
        dispute = msgspec.json.decode(fetch(require_address(arguments), "GET", path))
    else:
        body = msgspec.json.encode(read_ruling(arguments))
        address, service = f"{path}/rulings", require_address(arguments)
        key = read_key(arguments.key) if arguments.key else None
        response = (
            fetch(service, "POST", address, body) if key is None else fetch_signed(service, "POST", address, body, key)
        )
        dispute = msgspec.json.decode(response)
    write(dispute, render_dispute(dispute))
    return SUCCESS
