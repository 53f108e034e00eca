"""`esporles monitor`: follow the transparency log of a service, and keep evidence of broken promises."""

from argparse import ArgumentParser, Namespace
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec

from domain.transparency.errors import Malformed, TransparencyFault
from domain.transparency.evidence import check_evidence, parse_evidence
from domain.transparency.notes import ED25519, parse_key
from domain.transparency.policy import Policy, policy_of_keys
from domain.transparency.witnesses import is_address
from ops.console import NEGATIVE, SUCCESS, Finding, WrongUsage, result_writer
from ops.sockets import AddressInUse, bound_socket, url_of
from ops.transparency.log_client import ANSWER_SECONDS_MAX, LogClient
from ops.transparency.monitor import Monitor
from ops.transparency.monitor_server import describe_look, serve
from ops.transparency.witness import unix_seconds
from ops.verifying.trust import trust_arguments, trust_of
from projections.platform.settings import Settings
from projections.platform.telemetry.logs import configure_logs

FOLDER: Final = Path("monitor")
PORT: Final = 8101
SECONDS: Final = 60.0


class RunningMonitor(msgspec.Struct, frozen=True):
    """The address of the status page, and the log that is followed."""

    url: str
    log: str


class CheckedEvidence(msgspec.Struct, frozen=True):
    """The proof in a file of evidence, or why there is none."""

    file: str
    keys: tuple[str, ...]
    proves: str | None
    fault: str | None


def arguments(parser: ArgumentParser) -> None:
    """Add URL, the trusted keys, `--once`, `--check`, `--data`, `--every`, `--timeout`, `--host` and `--port`."""
    parser.add_argument("log", nargs="?", metavar="URL", help="address of the service, or of its log")
    trust_arguments(parser)
    parser.add_argument("--house", metavar="KEY", help="verifier key of the service, if there is no policy")
    parser.add_argument(
        "--once", action="store_true", help="look once, print the result and exit: 1 if anything is wrong"
    )
    parser.add_argument(
        "--check", type=Path, metavar="FILE", help="check a file of evidence again, without any log, and exit"
    )
    parser.add_argument(
        "--data", type=Path, default=FOLDER, help=f"folder of the monitor, with its evidence (default: {FOLDER})"
    )
    parser.add_argument(
        "--every", type=float, default=SECONDS, metavar="SECONDS", help=f"time between looks (default: {SECONDS:.0f})"
    )
    parser.add_argument(
        "--timeout",
        type=float,
        default=ANSWER_SECONDS_MAX,
        metavar="SECONDS",
        help=f"longest time for one response of the log (default: {ANSWER_SECONDS_MAX:.0f})",
    )
    parser.add_argument("--host", default="127.0.0.1", help="address of the status page (default: 127.0.0.1)")
    parser.add_argument(
        "--port", type=int, default=PORT, help=f"port of the status page, 0 for any free port (default: {PORT})"
    )


def policy_in(arguments: Namespace) -> Policy:
    """Return the policy of the options; raise `WrongUsage` unless it names the key of a log."""
    policy = trust_of(arguments)
    if arguments.house is not None:
        if policy is not None:
            raise WrongUsage("--house cannot be combined with --policy or --trust")
        try:
            policy = policy_of_keys([parse_key(arguments.house, [ED25519])])
        except Malformed as fault:
            raise WrongUsage(str(fault)) from fault
    if policy is None or not policy.logs:
        raise WrongUsage("the key of the log is required: --policy FILE, --trust KEYS or --house KEY")
    return policy


def check_file(path: Path) -> CheckedEvidence:
    """Check a file of evidence; raise `WrongUsage` if it cannot be read."""
    try:
        evidence = parse_evidence(path.read_bytes())
    except OSError as error:
        raise WrongUsage(f"cannot read {path}: {error.strerror}") from error
    except Malformed as fault:
        raise WrongUsage(f"{path}: {fault}") from fault
    try:
        return CheckedEvidence(str(path), evidence.keys, check_evidence(evidence), None)
    except TransparencyFault as fault:
        return CheckedEvidence(str(path), evidence.keys, None, str(fault))


def run(arguments: Namespace) -> int:
    """Follow a log until stopped, check it once, or check a file of evidence.

    Returns `NEGATIVE` if the evidence proves nothing, or with `--once` if anything is wrong. Raises `WrongUsage` for an
    unusable argument, `Finding` if the address is in use.
    """
    write = result_writer(arguments.json)
    if arguments.check is not None:
        checked = check_file(arguments.check)
        keys = "".join(f"\nkey      {key}" for key in dict.fromkeys(checked.keys))
        write(checked, f"PROVEN   {checked.proves}{keys}" if checked.proves else f"nothing is proven: {checked.fault}")
        return SUCCESS if checked.proves else NEGATIVE
    if arguments.log is None or not is_address(arguments.log):
        raise WrongUsage(f"invalid address of a log {arguments.log!r}: it must begin with http:// or https://")
    if min(arguments.every, arguments.timeout) <= 0:
        raise WrongUsage("--every and --timeout must be greater than 0")
    policy = policy_in(arguments)
    client = LogClient(arguments.log, arguments.timeout)
    with closing(Monitor(client, arguments.data, policy, unix_seconds)) as monitor:
        if arguments.once:
            while not (look := monitor.look()).is_complete:
                pass
            write(look, "\n".join(describe_look(look)))
            return SUCCESS if look.is_good else NEGATIVE
        try:
            listener = bound_socket(arguments.host, arguments.port)
        except AddressInUse as taken:
            raise Finding(str(taken)) from taken
        running = RunningMonitor(url_of(listener), arguments.log)
        configure_logs(Settings(), "monitor")
        write(running, f"listening on {running.url}\nfollowing {running.log}")
        serve(arguments.log, monitor, arguments.every, listener)
    return SUCCESS
