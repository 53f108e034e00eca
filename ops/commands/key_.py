"""`esporles key`: the root key of the service's log, and changes of the log's key."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import msgspec

from domain.transparency.errors import Malformed, NotSigned
from domain.transparency.key_chain import parse_signed_note
from domain.transparency.key_notes import KeyChange, RootNaming, require_signatures
from domain.transparency.notes import Note, VerifierKey
from ops.console import SUCCESS, Finding, WrongUsage, result_writer
from ops.passphrases import ReadPassphrase, read_new_passphrase, read_passphrase
from ops.root_keys import create_root_key, read_root_key

WHAT: Final = {
    "root": "create a root key, on a computer that is not the server",
    "sign": "sign a request with the root key, on that computer",
}
ROOT_KEY: Final = "root key"
FIRST_SIGNERS: Final = 2
"""Signatures of the first naming of a root key; a later one has one more."""


class KeyWritten(msgspec.Struct, frozen=True):
    """A file with a key or a note, and the verifier key that it is about."""

    file: str
    key: str


def arguments(parser: ArgumentParser) -> None:
    """Add WHAT, an optional FILE, `--root`, `--name` and `--out`."""
    help_text = "; ".join(f"{what}: {does}" for what, does in WHAT.items())
    parser.add_argument("what", choices=tuple(WHAT), metavar="WHAT", help=help_text)
    parser.add_argument("file", type=Path, nargs="?", metavar="FILE", help="sign: the request")
    parser.add_argument("--root", type=Path, metavar="KEYFILE", help="sign: the file with the root key")
    parser.add_argument("--name", default="", help="root: name of the key (default: root/ and its fingerprint)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="root, sign: the file to write, which must not exist")


def required(path: Path | None, option: str) -> Path:
    """Return the value of an option; raise `WrongUsage` if it is missing."""
    if path is None:
        raise WrongUsage(f"missing {option}")
    return path


def root(options: Namespace, read: ReadPassphrase) -> tuple[object, str]:
    """Create a root key; return the result and its text. Raise as `read_new_passphrase` and `create_root_key`."""
    path = required(options.out, "--out FILE")
    if path.exists():
        raise WrongUsage(f"{path} exists already")
    key = create_root_key(path, options.name, read_new_passphrase(ROOT_KEY, read))
    return KeyWritten(str(path), str(key)), str(key)


def sign(options: Namespace, read: ReadPassphrase) -> tuple[object, str]:
    """Show a request on stderr, sign it after its passphrase was given, and write the signed note.

    Raise `WrongUsage` for an unreadable request or key, `Finding` for a request that this key does not sign.
    """
    path, out = required(options.file, "FILE"), required(options.out, "--out FILE")
    key_file = required(options.root, "--root KEYFILE")
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


Action = Callable[[Namespace, ReadPassphrase], tuple[object, str]]
ACTIONS: Final[Mapping[str, Action]] = {"root": root, "sign": sign}


def run(arguments: Namespace, read: ReadPassphrase = read_passphrase) -> int:
    """Do what the first argument says and print the result; return `SUCCESS`."""
    document, text = ACTIONS[arguments.what](arguments, read)
    result_writer(arguments.json)(document, text)
    return SUCCESS
