"""Shared parts of commands for organisers, which become requests to the running service."""

import argparse
import json
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

from domain.standings.points import SIXTIETHS_PER_POINT
from ops.console import SUCCESS, WrongUsage, add_data_option, result_writer
from ops.matches import writable, writing
from ops.service_client import ServiceAddress, fetch
from ops.tournaments.simulate import ask_service

Request = tuple[str, str, Any]
"""Method, path and body."""


def quote_word(text: str) -> str:
    """Quote a word for use in a path."""
    return quote(text, safe="")


def read_json(path: Path) -> Any:
    """Read a JSON file; raise `WrongUsage` if it is unreadable."""
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise WrongUsage(f"cannot read {path} as JSON: {error}") from error


def numbers(text: str, option: str) -> list[int]:
    """Parse integers separated by commas, such as `70,55,40`; "" gives none. Raise `WrongUsage`, naming the option."""
    try:
        return [int(number) for number in text.split(",")] if text else []
    except ValueError as error:
        raise WrongUsage(f"invalid {option} {text!r}: expected numbers separated by commas") from error


def add_penalty(parser: ArgumentParser) -> None:
    """Add the arguments of a penalty except its player."""
    parser.add_argument(
        "points", type=int, metavar="POINTS", help="whole points to deduct; a negative number gives points back"
    )
    parser.add_argument("--reason", required=True)


def penalty_of(arguments: Namespace) -> dict[str, Any]:
    """Return these arguments in the form of the request."""
    return {"sixtieths": arguments.points * SIXTIETHS_PER_POINT, "reason": arguments.reason}


def announce(path: str, arguments: Namespace) -> Request:
    """Build the request of an announcement."""
    return "POST", f"{path}/announcements", {"text": arguments.text}


def send_request(
    service: ServiceAddress, request: Request, arguments: Namespace, format_response: Callable[[Any], str]
) -> int:
    """Send a request and print the response, as text in the form of `format_response`; return `SUCCESS`.

    Raises `Finding` if it is refused.
    """
    response = ask_service(service, *request)
    result_writer(arguments.json)(response, format_response(response))
    return SUCCESS


def write_file(service: ServiceAddress, path: str, arguments: Namespace) -> int:
    """Download a file to `--out`, print its name and return `SUCCESS`.

    Raises `WrongUsage` if it cannot be written, `Finding` if the service refuses.
    """
    out: Path = arguments.out
    writable(out)
    content = fetch(service, "GET", f"/api{path}")
    with writing(out):
        out.write_bytes(content)
    result_writer(arguments.json)({"written": str(out), "bytes": len(content)}, f"written  {out}")
    return SUCCESS


def send_file(service: ServiceAddress, path: str, kind: str, arguments: Namespace, reason: str = "") -> int:
    """Upload a file, print the number of lines taken in, and return `SUCCESS`; the same file again has no effect.

    `reason` is sent if not empty. Raises `WrongUsage` if the file cannot be read, `Finding` if the service refuses.
    """
    try:
        content = arguments.file.read_bytes()
    except OSError as error:
        raise WrongUsage(f"cannot read {arguments.file}: {error.strerror}") from error
    why = f"?reason={quote_word(reason)}" if reason else ""
    response = json.loads(fetch(service, "POST", f"/api{path}/files/{kind}{why}", content, "application/octet-stream"))
    summary = "already imported, nothing changed" if response["repeated"] else f"{response['count']} imported"
    result_writer(arguments.json)(response, f"{kind}  {summary}")
    return SUCCESS


def add_shared(parser: ArgumentParser, data_help: str) -> None:
    """Add `--json` and `--data` to a subcommand, because argparse would accept them only before its name."""
    parser.add_argument(
        "--json", action="store_true", default=argparse.SUPPRESS, help="print one JSON document to stdout"
    )
    add_data_option(parser, data_help, argparse.SUPPRESS)
