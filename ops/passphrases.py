"""Passphrases of key files, read from the terminal or standard input."""

import getpass
import sys
from collections.abc import Callable
from typing import Final

from ops.console import WrongUsage

LENGTH_MIN: Final = 16
"""Characters of a new passphrase. PKCS#8 files derive their key with few rounds, so that short ones can be guessed."""

ReadPassphrase = Callable[[str], bytes]
"""Reads the passphrase of a named key."""


def read_passphrase(what: str) -> bytes:
    """Read a passphrase from the terminal, or the first line of stdin; never from arguments, which others could see."""
    if sys.stdin.isatty():
        return getpass.getpass(f"Passphrase of the {what}: ").encode()
    return sys.stdin.readline().rstrip("\n").encode()


def read_new_passphrase(what: str, read: ReadPassphrase) -> bytes:
    """Read a new passphrase, twice at a terminal.

    Raise `WrongUsage` if it is shorter than `LENGTH_MIN` characters or repeated differently.
    """
    passphrase = read(what)
    if len(passphrase.decode(errors="replace")) < LENGTH_MIN:
        raise WrongUsage(f"a passphrase needs at least {LENGTH_MIN} characters, such as six random words")
    if sys.stdin.isatty() and read(f"{what}, once more") != passphrase:
        raise WrongUsage("the passphrases differ")
    return passphrase
