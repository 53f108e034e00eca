"""Somebody goes: first from all tables, then from the store of people."""

from __future__ import annotations

from api.accounts.access import Person
from api.accounts.service import AccountService
from api.matches.service import MatchService


async def forget(person: Person, accounts: AccountService, matches: MatchService) -> None:
    """Nobody waits for the person any more, not even at a seat taken while the others were given up."""
    await matches.depart(person.id)
    await accounts.erase(person)
    await matches.depart(person.id)
