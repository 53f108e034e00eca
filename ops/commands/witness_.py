"""`esporles witness`: run a witness, which cosigns the transparency logs of services."""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from domain.matches.entropy import system_entropy
from domain.transparency.errors import Malformed
from ops.console import SUCCESS, Finding, WrongUsage, result_writer
from ops.sockets import AddressInUse, bound_socket, url_of
from ops.transparency.witness import NameMismatch, NameMissing, WatchedLogs, Witness, parse_logs, unix_seconds
from ops.transparency.witness_resets import RootsByOrigin, parse_roots
from ops.transparency.witness_server import serve

FOLDER: Final = Path("witness")
DATABASE: Final = "witness.db"
HOUSES: Final = "houses"
PORT: Final = 8100
HTTP_OK: Final = 200


class RunningWitness(msgspec.Struct, frozen=True):
    """The address of the witness, its verifier key, and the origins of the logs it watches."""

    url: str
    key: str
    houses: tuple[str, ...]


def arguments(parser: ArgumentParser) -> None:
    """Add `--key`, `--name`, `--data`, `--house` (repeatable), `--houses`, `--reset`, `--refused` and the address."""
    parser.add_argument(
        "--key",
        action="store_true",
        help="print the verifier key of this witness and exit; create the key first if there is none",
    )
    parser.add_argument(
        "--name", default="", help="name of the witness, such as witness.example.org/club; required on the first run"
    )
    parser.add_argument(
        "--data",
        type=Path,
        default=FOLDER,
        help=f"folder of the witness, readable by its owner only (default: {FOLDER})",
    )
    parser.add_argument(
        "--house",
        action="append",
        default=[],
        metavar="KEY",
        help="verifier key of a service to watch; may be repeated",
    )
    parser.add_argument(
        "--houses",
        type=Path,
        metavar="FILE",
        help=f"a file with one verifier key per line, and lines `root KEY ORIGIN` with the root keys of logs (default: "
        f"{HOUSES} in the folder of the witness)",
    )
    parser.add_argument(
        "--reset",
        type=Path,
        metavar="FILE",
        help="replace the key of a log by a change that its root key has signed (`esporles key sign`), and exit",
    )
    parser.add_argument(
        "--refused",
        action="store_true",
        help="print the signed requests that were refused because of another or an older tree, and exit",
    )
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)")
    parser.add_argument(
        "--port", type=int, default=PORT, help=f"port to listen on, 0 for any free port (default: {PORT})"
    )


class WatchedServices(NamedTuple):
    """The keys of the services to watch and their root keys, by origin."""

    logs: WatchedLogs
    roots: RootsByOrigin


def services_of(arguments: Namespace) -> WatchedServices:
    """Return the services to watch, from `--house` and the lines of the file, which is optional unless named.

    Raises `WrongUsage` if the named file is missing or a key is malformed.
    """
    file, lines = arguments.houses or arguments.data / HOUSES, list[str]()
    if file.is_file():
        lines = file.read_text().splitlines()
    elif arguments.houses:
        raise WrongUsage(f"no such file: {file}")
    try:
        return WatchedServices(parse_logs([*lines, *arguments.house]), parse_roots(lines))
    except Malformed as fault:
        raise WrongUsage(str(fault)) from fault


def open_witness(arguments: Namespace, services: WatchedServices) -> Witness:
    """Open the database of the witness, or create it with `--name`, which may be left out later.

    Raises `WrongUsage` if that name is missing, malformed or not the earlier one.
    """
    try:
        return Witness(
            arguments.data / DATABASE, arguments.name, services.logs, system_entropy, unix_seconds, services.roots
        )
    except (Malformed, NameMissing, NameMismatch) as fault:
        raise WrongUsage(str(fault)) from fault


def describe_witness(witness: RunningWitness) -> str:
    """Describe a running witness in lines: its URL, its key and the services it watches."""
    services: Sequence[str] = witness.houses or ("no service yet; add one with --house KEY",)
    return "\n".join(
        (
            f"listening on {witness.url}",
            f"key       {witness.key}",
            *(f"watching  {each}" for each in services),
        )
    )


def reset(witness: Witness, arguments: Namespace) -> int:
    """Apply the note in a file, print the result and return `SUCCESS`.

    Raises `WrongUsage` if the file is unreadable, `Finding` if the witness refuses the note.
    """
    try:
        answer = witness.reset(arguments.reset.read_bytes())
    except OSError as error:
        raise WrongUsage(f"cannot read {arguments.reset}: {error.strerror}") from error
    if answer.status != HTTP_OK:
        raise Finding(answer.body.rstrip())
    result_writer(arguments.json)({"reset": answer.body.rstrip()}, answer.body)
    return SUCCESS


def run(arguments: Namespace) -> int:
    """Run the witness until stopped, after printing its URL, key and services; with `--key` only print the key.

    A new witness is created in both cases. Returns `SUCCESS`. Raises `WrongUsage` for a bad name, key or file,
    `Finding` if the address is in use.
    """
    services = WatchedServices({}, {}) if arguments.key else services_of(arguments)
    with closing(open_witness(arguments, services)) as witness:
        if arguments.key:
            result_writer(arguments.json)({"key": str(witness.key)}, str(witness.key))
            return SUCCESS
        if arguments.refused:
            refused = witness.refused_requests()
            lines = [f"{each}\n\n{each.request}" for each in refused] or ["no request was refused"]
            result_writer(arguments.json)({"refused": refused}, "\n".join(lines))
            return SUCCESS
        if arguments.reset is not None:
            return reset(witness, arguments)
        try:
            listener = bound_socket(arguments.host, arguments.port)
        except AddressInUse as taken:
            raise Finding(str(taken)) from taken
        running = RunningWitness(url_of(listener), str(witness.key), tuple(sorted(services.logs)))
        result_writer(arguments.json)(running, describe_witness(running))
        serve(witness, listener)
    return SUCCESS
