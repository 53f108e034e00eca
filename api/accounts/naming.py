"""Sentences that name people by their ids, with what they are called in the place of these."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from api.accounts.service import AccountService

PERSON: Final = re.compile(r"'?\b([0-9a-f]{32})\b'?")
"""The id of a person, as refusals have it."""


def with_people(sentence: str, accounts: AccountService) -> str:
    """The sentence with the names of the people in it; an id that is nobody's stays."""
    known = accounts.names(set(PERSON.findall(sentence)))
    return PERSON.sub(lambda found: known.get(found[1], found[0]), sentence)


@contextmanager
def naming_people(accounts: AccountService, *refusals: type[Exception]) -> Iterator[None]:
    """Which of these is raised inside names people, not their ids."""
    try:
        yield
    except refusals as refusal:
        raise type(refusal)(with_people(str(refusal), accounts)) from refusal
