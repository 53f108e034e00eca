"""`esporles verify`: the whole examination of a log."""

import re
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Final

from domain.matches.verify import VerifyReport, verify_file
from ops.console import NEGATIVE, SUCCESS, WrongUsage, answer
from ops.files import file_arguments, files_of
from ops.matches import shelved_for
from ops.players import players_of

HEAD: Final = re.compile(r"[0-9a-fA-F]{64}")


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("log", type=Path, metavar="LOG")
    file_arguments(parser)
    parser.add_argument("--head", metavar="HEX", help="the head this log should have, from elsewhere")


def text(path: Path, report: VerifyReport) -> str:
    if report.fault is not None:
        where = "the file" if report.fault.entry is None else f"entry {report.fault.entry}"
        return f"FALSE    {path}: {where} ({report.fault.kind}): {report.fault.why}"
    checked = f"{report.openings_checked} commitments opened, {report.draws_checked} draws repeated"
    lines = [
        f"good     {path}",
        f"match    {report.match} of {report.title}, {report.status}",
        f"entries  {report.entries}: chain, {checked}, {report.actions_checked} actions decided again",
        f"head     {report.head}",
        f"luck     {luck_of(report)}, {report.format}",
    ]
    if report.scores is not None and report.ranking is not None:
        lines.append(f"scores   {', '.join(map(str, report.scores))} (places {', '.join(map(str, report.ranking))})")
    return "\n".join(lines + [f"unchecked: {each}" for each in report.unchecked])


def luck_of(report: VerifyReport) -> str:
    """Whose luck it was."""
    seats = report.own_luck
    if not seats:
        return "the house's alone"
    return f"shares of {'seat' if len(seats) == 1 else 'seats'} {', '.join(map(str, seats))} and of the house"


def run(arguments: Namespace) -> int:
    if not arguments.log.is_file():
        raise WrongUsage(f"{arguments.log} is not a file")
    head = arguments.head
    if head is not None and not HEAD.fullmatch(head):
        raise WrongUsage(f"--head takes 64 hexadecimal digits, not {head!r}")
    titles = players_of(arguments).titles
    shelved_for(titles, arguments.log, files_of(arguments))
    report = verify_file(arguments.log, titles=titles, head=head and head.lower())
    answer(arguments.json)(report, text(arguments.log, report))
    return SUCCESS if report.is_good else NEGATIVE
