"""`esporles verify`: the whole examination of a log or of a proof file, or of many of them."""

import os
import re
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Final

from domain.kernel.loading import load
from domain.matches.verification.verify import VerifyReport
from domain.proofs.match import Trust, verify_any
from domain.transparency.errors import Malformed
from domain.transparency.notes import parse_keys
from ops.console import NEGATIVE, SUCCESS, WrongUsage, answer
from ops.files import file_arguments, files_of
from ops.matches import is_event_file, shelve_for
from ops.players import find_players_of, players_of
from ops.processes import processes_asked

HEAD: Final = re.compile(r"[0-9a-fA-F]{64}")


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "files", type=Path, nargs="+", metavar="FILE", help="a log, a proof file, or a folder: its *.jsonl and *.proof"
    )
    file_arguments(parser)
    parser.add_argument("--head", metavar="HEX", help="the head this log should have, from elsewhere; of one file")
    parser.add_argument(
        "--trust", type=Path, metavar="KEYS", help="a file with the verifier keys of houses and witnesses, one a line"
    )
    parser.add_argument(
        "--workers",
        action="store_true",
        help="several files: examine them on the calculators of all hosts (`esporles run calculator`)",
    )
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="processes for several files; default: all"
    )


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
    if said := signed_in(report):
        lines.append(f"signed   {said}")
    if report.scores is not None and report.ranking is not None:
        ruled = ", as ruled" if report.ruled else ""
        lines.append(
            f"scores   {', '.join(map(str, report.scores))} (places {', '.join(map(str, report.ranking))}){ruled}"
        )
    elif report.ruled:
        lines.append("scores   none: the match counts for nobody, as ruled")
    if report.proof is not None:
        lines.append(f"proof    tree of {report.proof.origin}, {report.proof.size} leaves, root {report.proof.root}")
        lines += [f"checked: {each}" for each in report.proof.checked]
    return "\n".join(lines + [f"{unchecked_word(report)}: {each}" for each in report.unchecked])


def unchecked_word(report: VerifyReport) -> str:
    return "unchecked" if report.proof is None else "could not be checked"


def luck_of(report: VerifyReport) -> str:
    """Whose luck it was."""
    seats = report.own_luck
    if not seats:
        return "the house's alone"
    return f"shares of {'seat' if len(seats) == 1 else 'seats'} {', '.join(map(str, seats))} and of the house"


def signed_in(report: VerifyReport) -> str:
    """Who signed how much."""
    seats = [f"{seat.signed} acts of seat {seat.seat}" for seat in report.signatures.seats if seat.signed]
    services = [f"{count} of the service" for _, count in report.signatures.services]
    rulings = sum(key != "" for _, key in report.signatures.rulings)
    return ", ".join(seats + services + ["1 ruling" if rulings == 1 else f"{rulings} rulings"] * (rulings > 0))


def trust_in(path: Path | None) -> Trust:
    """The keys of a file."""
    if path is None:
        return None
    try:
        return parse_keys(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise WrongUsage(f"{path} cannot be read: {error.strerror}") from error
    except (Malformed, UnicodeDecodeError) as fault:
        raise WrongUsage(f"{path} is not a file of verifier keys: {fault}") from fault


def run(arguments: Namespace) -> int:
    head, jobs = arguments.head, processes_asked(arguments.jobs)
    if head is not None and not HEAD.fullmatch(head):
        raise WrongUsage(f"--head takes 64 hexadecimal digits, not {head!r}")
    trust = trust_in(arguments.trust)
    if len(arguments.files) > 1 or arguments.files[0].is_dir():
        if head is not None:
            raise WrongUsage("--head is of one log; several files have heads of their own")
        return report_several(arguments, jobs, trust)
    (path,) = arguments.files
    if not path.is_file():
        raise WrongUsage(f"{path} is not a file")
    if is_event_file(path):
        return report_tournament(arguments, path, jobs, trust)
    titles = players_of(arguments).titles
    shelve_for(titles, path, files_of(arguments))
    report = verify_any(path, titles=titles, head=head and head.lower(), trust=trust)
    answer(arguments.json)(report, text(path, report))
    return SUCCESS if report.is_good else NEGATIVE


def report_tournament(arguments: Namespace, path: Path, jobs: int, trust: Trust) -> int:
    """The proof of a tournament, its matches on all processors."""
    if arguments.head is not None:
        raise WrongUsage("--head is of one log; the proof of a tournament has those of all its matches")
    # Loaded here because what counts ratings is slow to load, and most files have none.
    verify_event_file = load("ops.transparency.events", "verify_event_file")
    event_text = load("ops.transparency.events", "event_text")
    found = verify_event_file(path, find_players_of(arguments), jobs=jobs, files=files_of(arguments), trust=trust)
    answer(arguments.json)(found, event_text(path, found))
    return SUCCESS if found.is_good else NEGATIVE


def report_several(arguments: Namespace, jobs: int, trust: Trust) -> int:
    """Several files, each a line, and what came of all of them."""
    if arguments.workers:
        return report_spread(arguments, trust)
    # Loaded here because what draws the progress is slow to load, and one file shows none.
    verify_several = load("ops.verifying", "verify_several")
    found = verify_several(
        arguments.files, find_players_of(arguments), jobs=jobs, files=files_of(arguments), trust=trust
    )
    answer(arguments.json)(found, str(found))
    return SUCCESS if found.is_good else NEGATIVE


def report_spread(arguments: Namespace, trust: Trust) -> int:
    """The same, examined by calculators."""
    if files_of(arguments):
        raise WrongUsage("--workers takes no files of decks or components: the calculators do not have them")
    # Loaded here because what reaches the queues is slow to load.
    spread = load("ops.computing.spreading", "spread_of")(is_wanted=True)
    keys = None if trust is None else arguments.trust.read_text(encoding="utf-8")
    found = load("ops.computing.corpora", "verify_corpus")(arguments.files, spread, keys, trust, players_of(arguments))
    answer(arguments.json)(found, str(found))
    return SUCCESS if found.is_good else NEGATIVE
