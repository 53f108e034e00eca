"""What an organiser does from the console: the words of a command become a request to the running service."""

import argparse
import json
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

from domain.standings.points import PART
from ops.console import SUCCESS, WrongUsage, answer, take_data
from ops.door import ServiceAddress, ask
from ops.tournaments.simulate import ask_service

Request = tuple[str, str, Any]
"""Method, path and body."""


def quote_word(word: str) -> str:
    """A word as a part of an address."""
    return quote(word, safe="")


def read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise WrongUsage(f"{path} cannot be read as JSON: {error}") from error


def numbers(text: str, what: str) -> list[int]:
    """Whole numbers with commas between, such as `70,55,40`."""
    try:
        return [int(word) for word in text.split(",")] if text else []
    except ValueError as error:
        raise WrongUsage(f"{what} takes numbers with commas between, not {text!r}") from error


def add_penalty(parser: ArgumentParser) -> None:
    """What is said of a penalty beside whose it is."""
    parser.add_argument("points", type=int, metavar="POINTS", help="whole points; below 0 they are given back")
    parser.add_argument("--reason", required=True)


def penalty_of(arguments: Namespace) -> dict[str, Any]:
    """The same as a request has it."""
    return {"sixtieths": arguments.points * PART, "reason": arguments.reason}


def announce(path: str, arguments: Namespace) -> Request:
    """Everybody is told something."""
    return "POST", f"{path}/announcements", {"text": arguments.text}


def send_request(door: ServiceAddress, request: Request, arguments: Namespace, told: Callable[[Any], str]) -> int:
    """One request, and what came of it in a line."""
    shown = ask_service(door, *request)
    answer(arguments.json)(shown, told(shown))
    return SUCCESS


def write_file(door: ServiceAddress, path: str, arguments: Namespace) -> int:
    """A file goes out."""
    content = ask(door, "GET", f"/api{path}")
    arguments.out.write_bytes(content)
    answer(arguments.json)({"written": str(arguments.out), "bytes": len(content)}, f"written  {arguments.out}")
    return SUCCESS


def send_file(door: ServiceAddress, path: str, kind: str, arguments: Namespace, reason: str = "") -> int:
    """A file comes in, with the reason where it needs one; the same file again changes nothing."""
    try:
        content = arguments.file.read_bytes()
    except OSError as error:
        raise WrongUsage(f"{arguments.file} cannot be read: {error.strerror}") from error
    why = f"?reason={quote_word(reason)}" if reason else ""
    told = json.loads(ask(door, "POST", f"/api{path}/files/{kind}{why}", content, "application/octet-stream"))
    what = "in already, nothing changed" if told["repeated"] else f"{told['count']} taken in"
    answer(arguments.json)(told, f"{kind}  {what}")
    return SUCCESS


def add_shared(parser: ArgumentParser, where: str) -> None:
    """What every command takes behind its name too: argparse would know it before it only."""
    parser.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="one JSON document on stdout")
    take_data(parser, where, argparse.SUPPRESS)
