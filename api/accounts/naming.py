"""Sentences that name people by their ids, with what they are called in the place of these."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final, Protocol

from api.accounts.service import AccountService
from api.http.languages import _
from api.http.names import BOT_NAMES, HOUSE_NAME
from domain.matches.facts import SERVICE, Actor, is_bot
from domain.matches.seats.bots import bot_name

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


Names = Mapping[Actor, str]


def people_in(actors: Iterable[Actor | None]) -> set[Actor]:
    """Return the actors who are persons."""
    return {actor for actor in actors if actor is not None and actor != SERVICE and not is_bot(actor)}


class KnowsNames(Protocol):
    """The service of accounts, or on the console their store."""

    def names(self, person_ids: Iterable[str]) -> dict[str, str]: ...


def names_of(accounts: KnowsNames, actors: Iterable[Actor | None]) -> Names:
    """What these are called: people by their names of today, bots and the service by ours."""
    known = tuple(actors)
    names = dict(accounts.names(people_in(known)))
    return names | {
        actor: shown_bot_name(actor) if is_bot(actor) else _(HOUSE_NAME)
        for actor in known
        if actor not in names and actor
    }


def shown_bot_name(actor: Actor) -> str:
    """`bot:greedy@1` is called Greedy bot, on a page as its language calls it."""
    kind = bot_name(actor)
    return _(BOT_NAMES[kind]) if kind in BOT_NAMES else _("{name} bot", name=kind.capitalize())
