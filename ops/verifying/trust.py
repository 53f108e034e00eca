"""The options `--policy FILE` and `--trust KEYS`, which name the services and witnesses to trust."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path

from domain.proofs.match import Trust
from domain.transparency.errors import Malformed
from domain.transparency.notes import parse_keys
from domain.transparency.policy import Policy, parse_policy, policy_of_keys
from ops.console import WrongUsage


def trust_arguments(parser: ArgumentParser) -> None:
    """Add `--policy` and `--trust`, of which only one may be given, and `--keys`."""
    options = parser.add_mutually_exclusive_group()
    options.add_argument(
        "--policy",
        type=Path,
        metavar="FILE",
        help="a policy file (C2SP tlog-policy): known services and witnesses, and the quorum of cosignatures",
    )
    options.add_argument(
        "--trust",
        type=Path,
        metavar="KEYS",
        help="a file with the verifier keys of services and witnesses, one per line; one of its witnesses must have "
        "cosigned, if it has any",
    )
    parser.add_argument(
        "--keys",
        type=Path,
        metavar="FILE",
        help="the history of a service's keys (/tlog/keys of the service), by which former keys are refused",
    )


def trust_of(arguments: Namespace) -> Trust:
    """Return the policy of the options, or None without them.

    Raises `WrongUsage` if the file cannot be read or is invalid.
    """
    if arguments.policy is not None:
        return read_file(arguments.policy, "policy", parse_policy)
    if arguments.trust is not None:
        return read_file(arguments.trust, "verifier keys", lambda data: policy_of_keys(parse_keys(data.decode())))
    return None


def read_file(path: Path, what: str, parse: Callable[[bytes], Policy]) -> Policy:
    """Return the parsed file; raise `WrongUsage` if it cannot be read or is invalid."""
    try:
        return parse(path.read_bytes())
    except OSError as error:
        raise WrongUsage(f"cannot read {path}: {error.strerror}") from error
    except (UnicodeDecodeError, Malformed) as fault:
        raise WrongUsage(f"invalid {what} in {path}: {fault}") from fault
