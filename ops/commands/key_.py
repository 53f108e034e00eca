"""`esporles key`: the root key of the service's log, and changes of the log's key."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import msgspec

from domain.proofs.key_history import read_history
from domain.transparency.errors import Malformed, NotSigned
from domain.transparency.key_chain import parse_signed_note
from domain.transparency.key_notes import REASONS, KeyChange, RootNaming, require_signatures
from domain.transparency.notes import ED25519, Note, VerifierKey, parse_key, require_name
from ops.console import SUCCESS, Finding, WrongUsage, add_data_option, result_writer
from ops.passphrases import ReadPassphrase, read_new_passphrase, read_passphrase
from ops.root_keys import create_root_key, read_root_key
from ops.stores import read_settings
from ops.transparency import log_key

WHAT: Final = {
    "root": "create a root key, on a computer that is not the server",
    "request": "on the server: create the next key of the log, or take a root key, and write a request",
    "sign": "sign a request with the root key, on its computer",
    "install": "on the server, while the service is stopped: announce a signed request in the tree, and use its key",
    "history": "write the history of the log's keys, for `esporles verify --keys`",
}
ROOT_KEY: Final = "root key"
OVERLAP_DAYS: Final = 30
OVERLAP_DAYS_MAX: Final = 3_650
FIRST_SIGNERS: Final = 2
"""Signatures of the first naming of a root key; a later one has one more."""


class KeyInstalled(msgspec.Struct, frozen=True):
    """The current key of the log, the leaf of the announcement, and the size of the signed tree."""

    key: str
    leaf: int
    size: int


class KeyWritten(msgspec.Struct, frozen=True):
    """A file with a key or a note, and the verifier key that it is about."""

    file: str
    key: str


def arguments(parser: ArgumentParser) -> None:
    """Add WHAT, an optional FILE, options of the actions, `--out` and `--data`."""
    help_text = "; ".join(f"{what}: {does}" for what, does in WHAT.items())
    parser.add_argument("what", choices=tuple(WHAT), metavar="WHAT", help=help_text)
    parser.add_argument("file", type=Path, nargs="?", metavar="FILE", help="sign, install: the request")
    parser.add_argument("--root", type=Path, metavar="KEYFILE", help="sign: the file with the root key")
    parser.add_argument("--name", default="", help="root: name of the key (default: root/ and its fingerprint)")
    parser.add_argument(
        "--root-key", metavar="KEY", help="request: name this root key (its verifier key) instead of changing the key"
    )
    parser.add_argument(
        "--reason", choices=REASONS, default="planned", help="request: why the key changes (default: planned)"
    )
    parser.add_argument(
        "--overlap",
        type=int,
        default=OVERLAP_DAYS,
        metavar="DAYS",
        help=f"request: days during which both keys sign after a planned change (default: {OVERLAP_DAYS})",
    )
    parser.add_argument("--origin", default="", metavar="NAME", help="request: the new name of the log, if it changes")
    parser.add_argument(
        "--good",
        type=int,
        metavar="SIZE",
        help="request: leaves of the last good checkpoint, for a lost or stolen key (default: the latest checkpoint)",
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="the file to write, which must not exist")
    add_data_option(parser)


def require_option(path: Path | None, option: str) -> Path:
    """Return the value of an option; raise `WrongUsage` if it is missing."""
    if path is None:
        raise WrongUsage(f"missing {option}")
    return path


def root(options: Namespace, read: ReadPassphrase) -> tuple[object, str]:
    """Create a root key; return the result and its text. Raise as `read_new_passphrase` and `create_root_key`."""
    path = require_option(options.out, "--out FILE")
    if path.exists():
        raise WrongUsage(f"{path} exists already")
    key = create_root_key(path, options.name, read_new_passphrase(ROOT_KEY, read))
    return KeyWritten(str(path), str(key)), str(key)


def sign(options: Namespace, read: ReadPassphrase) -> tuple[object, str]:
    """Show a request on stderr, sign it after its passphrase was given, and write the signed note.

    Raise `WrongUsage` for an unreadable request or key, `Finding` for a request that this key does not sign.
    """
    path, out = require_option(options.file, "FILE"), require_option(options.out, "--out FILE")
    key_file = require_option(options.root, "--root KEYFILE")
    note, content = read_key_note(path)
    sys.stderr.write(f"{note.text}\nThe root key signs exactly these lines.\n")
    signer = read_root_key(key_file, read(ROOT_KEY))
    require_next_signer(note, content, signer.key)
    write_new(out, str(note._replace(signatures=(*note.signatures, signer.sign(note.text)))))
    subject = content.root if isinstance(content, RootNaming) else content.new
    return KeyWritten(str(out), str(subject)), f"signed with {signer.key}: {out}"


def read_key_note(path: Path) -> tuple[Note, KeyChange | RootNaming]:
    """Return the note about keys in a file; raise `WrongUsage` if it is unreadable or not one."""
    try:
        return parse_signed_note(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise WrongUsage(f"cannot read {path}: {error.strerror}") from error
    except (Malformed, UnicodeDecodeError) as fault:
        raise WrongUsage(f"no request or signed note about keys in {path}: {fault}") from fault


def require_next_signer(note: Note, content: KeyChange | RootNaming, root_key: VerifierKey) -> None:
    """Raise `Finding` unless the signatures so far are valid, and the next one is due from this root key.

    A new root key signs before the earlier one.
    """
    if isinstance(content, RootNaming):
        earlier = None if len(note.signatures) < FIRST_SIGNERS else root_key
        signers = content.signers(earlier)
    else:
        signers = content.signers(root_key)
    if signers[len(note.signatures) :] != (root_key,):
        raise Finding(f"the root key {root_key} has nothing to sign in this request")
    try:
        require_signatures(note, signers[: len(note.signatures)])
    except NotSigned as fault:
        raise Finding(str(fault)) from fault


def write_new(path: Path, text: str) -> None:
    """Write a text to a new file; raise `WrongUsage` if it exists or cannot be written."""
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise WrongUsage(f"cannot write {path}: {error.strerror}") from error


def request(options: Namespace, _read: ReadPassphrase) -> tuple[object, str]:
    """Write a request for the root key; raise `WrongUsage` for a bad option, `Finding` if the change is impossible."""
    out, settings = require_option(options.out, "--out FILE"), read_settings(options)
    if not 0 <= options.overlap <= OVERLAP_DAYS_MAX:
        raise WrongUsage(f"invalid --overlap {options.overlap}: expected 0 to {OVERLAP_DAYS_MAX} days")
    if out.exists():
        raise WrongUsage(f"{out} exists already")
    try:
        if options.root_key is not None:
            text = log_key.request_root_key(settings, parse_key(options.root_key, [ED25519]))
        else:
            origin = require_name(options.origin) if options.origin else ""
            text = log_key.request_key(settings, options.reason, options.overlap, origin, options.good)
    except Malformed as fault:
        raise WrongUsage(str(fault)) from fault
    write_new(out, text)
    note, content = parse_signed_note(text)
    subject = content.root if isinstance(content, RootNaming) else content.new
    return KeyWritten(str(out), str(subject)), f"{note.text}\nwritten to {out}; sign it with `esporles key sign`"


def install(options: Namespace, _read: ReadPassphrase) -> tuple[object, str]:
    """Announce a signed request in the tree; raise `WrongUsage` if it is unreadable, `Finding` if it does not fit."""
    note, _ = read_key_note(require_option(options.file, "FILE"))
    installed = log_key.install(read_settings(options), str(note))
    document = KeyInstalled(str(installed.key), installed.leaf, installed.size)
    return document, f"announced as leaf {installed.leaf}; the key of the log is {installed.key}"


def history(options: Namespace, _read: ReadPassphrase) -> tuple[object, str]:
    """Write the history of the log's keys; raise `Finding` if nothing has been signed."""
    out, settings = require_option(options.out, "--out FILE"), read_settings(options)
    content = log_key.load_history(settings)
    write_new(out, content.decode())
    key = str(read_history(content, str(out)).chain.current)
    return KeyWritten(str(out), key), f"written to {out}; the key of the log is {key}"


Action = Callable[[Namespace, ReadPassphrase], tuple[object, str]]
ACTIONS: Final[Mapping[str, Action]] = {
    "root": root,
    "request": request,
    "sign": sign,
    "install": install,
    "history": history,
}


def run(arguments: Namespace, read: ReadPassphrase = read_passphrase) -> int:
    """Run the action that the first argument names and print the result; return `SUCCESS`."""
    document, text = ACTIONS[arguments.what](arguments, read)
    result_writer(arguments.json)(document, text)
    return SUCCESS
