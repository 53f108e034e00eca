"""`esporles verify`: the whole examination of a log or of a proof file, or of many of them."""

import os
import re
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Final

from domain.kernel.loading import load
from domain.transparency.errors import Malformed
from domain.transparency.notes import parse_keys
from ops.console import NEGATIVE, SUCCESS, WrongUsage, answer
from ops.files import file_arguments, files_of, is_event_file
from ops.players import find_players_of
from ops.processes import processes_asked
from ops.verifying import match
from ops.verifying.request import Verified, VerifyRequest

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


def keys_in(path: Path | None) -> str | None:
    """Return the text of a file of keys."""
    try:
        return None if path is None else path.read_text(encoding="utf-8")
    except OSError as error:
        raise WrongUsage(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as fault:
        raise WrongUsage(f"{path} is not a file of verifier keys: {fault}") from fault


def request_of(arguments: Namespace) -> VerifyRequest:
    """Return the request; `WrongUsage` names a bad argument."""
    head, jobs = arguments.head, processes_asked(arguments.jobs)
    if head is not None and not HEAD.fullmatch(head):
        raise WrongUsage(f"--head takes 64 hexadecimal digits, not {head!r}")
    keys = keys_in(arguments.trust)
    try:
        trust = None if keys is None else parse_keys(keys)
    except Malformed as fault:
        raise WrongUsage(f"{arguments.trust} is not a file of verifier keys: {fault}") from fault
    return VerifyRequest(
        files=tuple(arguments.files),
        find_players=find_players_of(arguments),
        jobs=jobs,
        head=head and head.lower(),
        trust=trust,
        keys=keys,
        supplied=files_of(arguments),
    )


def examine(request: VerifyRequest, *, on_workers: bool) -> Verified:
    """Examine the files with the module for their kind. Modules that few files need are loaded here, because they are
    slow to import.
    """
    path = request.files[0]
    if len(request.files) > 1 or path.is_dir():
        if request.head is not None:
            raise WrongUsage("--head is of one log; several files have heads of their own")
        if on_workers and request.supplied:
            raise WrongUsage("--workers takes no files of decks or components: the calculators do not have them")
        module = "ops.verifying.spread" if on_workers else "ops.verifying.several"
    elif not path.is_file():
        raise WrongUsage(f"{path} is not a file")
    elif not is_event_file(path):
        return match.examine(request)
    elif request.head is not None:
        raise WrongUsage("--head is of one log; the proof of a tournament has those of all its matches")
    else:
        module = "ops.verifying.event"
    found: Verified = load(module, "examine")(request)
    return found


def run(arguments: Namespace) -> int:
    found = examine(request_of(arguments), on_workers=arguments.workers)
    answer(arguments.json)(found.report, found.text)
    return SUCCESS if found.is_good else NEGATIVE
