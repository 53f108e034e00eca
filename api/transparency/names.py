"""The audit of names: each account has the name to which a record in the tree commits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from api.accounts.name_salts import SaltedName, find_salted, list_salted
from api.accounts.people import People
from api.transparency.audit import Difference
from domain.eventstore.application import Matches
from domain.keys.commands import keyring_of
from domain.keys.names import is_renamed
from domain.keys.state import Keyring, stream_of
from domain.matches.errors import Tampered

PAUSE_EVERY: Final = 32
"""Accounts after which a background audit may pause."""


def audit_names(people: People, matches: Matches) -> Iterator[Difference | None]:
    """Yield a difference for each account whose name is not the recorded one, and None wherever the caller may pause.

    The differences name ids, never names. Accounts without a record are left out: theirs follows within a minute. A
    stream that was tampered with is reported by the audit of leaves.
    """
    for count, account in enumerate(list_salted(people)):
        try:
            keyring = keyring_of(matches, account.person)
        except Tampered:
            continue
        if is_other_name(people, keyring, account):
            why = f"the name of account {account.person} is not the one that its record commits to"
            yield Difference(why, str(stream_of(account.person)))
        if count % PAUSE_EVERY == 0:
            yield None


def is_other_name(people: People, keyring: Keyring, account: SaltedName) -> bool:
    """Return whether an account, as read before its keyring, has another name than the recorded one.

    A salt is stored before its commitment is recorded, and the account may be erased at the same time. So a difference
    counts only if the account shows it when it is read again.
    """
    if not is_renamed(keyring, account.salt, account.person, account.name):
        return False
    current = find_salted(people, account.person)
    return current is not None and is_renamed(keyring, current.salt, current.person, current.name)
