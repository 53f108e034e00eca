"""Display names of actors, and their use in messages that contain ids."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final, Protocol

from api.accounts.service import AccountService
from api.http.languages import _
from api.http.names import BOT_NAMES, SERVICE_NAME
from domain.matches.facts import SERVICE, Actor, is_bot
from domain.matches.seats.bots import bot_name

PERSON: Final = re.compile(r"'?\b([0-9a-f]{32})\b'?")
"""The id of a person in an error message."""


def replace_ids(sentence: str, accounts: AccountService) -> str:
    """Replace the ids of people in a message by their names; ids of unknown people by the name of erased accounts."""
    names = accounts.names(set(PERSON.findall(sentence)))
    return PERSON.sub(lambda found: names.get(found[1], found[0]), sentence)


@contextmanager
def naming_people(accounts: AccountService, *refusals: type[Exception]) -> Iterator[None]:
    """Replace the ids of people by names in the messages of these exceptions raised inside the block."""
    try:
        yield
    except refusals as refusal:
        raise type(refusal)(replace_ids(str(refusal), accounts)) from refusal


Names = Mapping[Actor, str]


def people_in(actors: Iterable[Actor | None]) -> set[Actor]:
    """Return the actors who are persons, local guests included: without bots, the service and None."""
    return {actor for actor in actors if actor is not None and actor != SERVICE and not is_bot(actor)}


class KnowsNames(Protocol):
    """An object that knows names: the account service, or the accounts database on the console."""

    def names(self, person_ids: Iterable[str]) -> dict[str, str]:
        """Return the display names by id."""
        ...


def names_of(accounts: KnowsNames, actors: Iterable[Actor | None]) -> Names:
    """Return the current display names by actor, including bots and the service; None and "" are left out."""
    known_actors = tuple(actors)
    names = dict(accounts.names(people_in(known_actors)))
    return names | {
        actor: shown_bot_name(actor) if is_bot(actor) else _(SERVICE_NAME)
        for actor in known_actors
        if actor not in names and actor
    }


def shown_bot_name(actor: Actor) -> str:
    """Return the localised name of a bot: `bot:greedy@1` is Greedy bot."""
    kind = bot_name(actor)
    return _(BOT_NAMES[kind]) if kind in BOT_NAMES else _("{name} bot", name=kind.capitalize())
