"""`esporles verify`: verify logs or proof files completely."""

import os
import re
import time
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Final

from ops.console import NEGATIVE, SUCCESS, WrongUsage, result_writer
from ops.deck_files import file_arguments, files_of, is_event_file
from ops.players import find_players_of
from ops.processes import processes_asked
from ops.verifying.files import files_in
from ops.verifying.kinds import examine
from ops.verifying.known_keys import read_known_keys
from ops.verifying.request import VerifyRequest
from ops.verifying.today import INVALID, WithService, compare_files, require_url
from ops.verifying.trust import trust_arguments, trust_of

HEAD: Final = re.compile(r"[0-9a-fA-F]{64}")


def arguments(parser: ArgumentParser) -> None:
    """Add FILEs, `--head`, `--policy` or `--trust`, `--keys`, `--service`, `--workers`, `--jobs`, and deck files."""
    parser.add_argument(
        "files",
        type=Path,
        nargs="+",
        metavar="FILE",
        help="a log, a proof file, or a folder with *.jsonl and *.proof files",
    )
    file_arguments(parser)
    parser.add_argument("--head", metavar="HEX", help="the expected head, from a source you trust; for one file only")
    trust_arguments(parser)
    parser.add_argument(
        "--service",
        metavar="URL",
        help="compare each proof with the current tree of the service at this address; without it, no network is used",
    )
    parser.add_argument(
        "--workers",
        action="store_true",
        help="with several files: distribute the work to calculators (`esporles run calculator`)",
    )
    parser.add_argument(
        "--jobs",
        type=int,
        default=os.cpu_count() or 1,
        metavar="N",
        help="processes for several files (default: one per core)",
    )


def run(arguments: Namespace) -> int:
    """Verify logs, proofs and folders of them, print the result, and return `NEGATIVE` if anything is false.

    Raises `WrongUsage` if `--head` is not 64 hexadecimal digits, whose case is ignored, or does not go with the files,
    if files are missing, or policy or keys are unreadable.
    """
    paths, head, write = tuple(arguments.files), arguments.head, result_writer(arguments.json)
    if head is not None and not HEAD.fullmatch(head):
        raise WrongUsage(f"invalid --head {head!r}: expected 64 hexadecimal digits")
    jobs, find_players, table_files = processes_asked(arguments.jobs), find_players_of(arguments), files_of(arguments)
    is_event = len(paths) == 1 and paths[0].is_file() and is_event_file(paths[0])
    trust = trust_of(arguments)
    known = read_known_keys(arguments.keys, trust)
    request = VerifyRequest(paths, find_players, jobs, head and head.lower(), trust, table_files, known, is_event)
    if arguments.service is not None:
        require_url(arguments.service)
    verified = examine(request, on_workers=arguments.workers)
    if arguments.service is None:
        write(verified.report, verified.text)
        return SUCCESS if verified.is_good else NEGATIVE
    witnesses = trust.witness_keys if trust is not None and trust.witness_keys else None
    findings = compare_files(files_in(paths), arguments.service, witnesses, time.time)
    write(WithService(verified.report, arguments.service, findings), "\n".join([verified.text, *map(str, findings)]))
    is_good = verified.is_good and all(finding.state != INVALID for finding in findings)
    return SUCCESS if is_good else NEGATIVE
