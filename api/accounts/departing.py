"""Somebody goes, or gives the account to a program: first at the tables, then in the store of people."""

from __future__ import annotations

from api.accounts.access import Person
from api.accounts.service import AccountService
from api.matches.acting import now
from api.matches.service import MatchService
from domain.keys.commands import give_up_all


async def forget(person: Person, accounts: AccountService, matches: MatchService) -> None:
    """Nobody waits for the person any more, not even at a seat taken while the others were given up."""
    await matches.depart(person.id)
    await accounts.erase(person)
    await matches.depart(person.id)


async def give_to_program(person: Person, accounts: AccountService, matches: MatchService) -> None:
    """A program plays by the account from now on. It holds none of the keys that the person's browsers have brought,
    and could not sign with them: they are given up."""
    await matches.require_unplayed(person.id)
    await accounts.mark_bot(person)
    await matches.execute(give_up_all, person.id, at=now())
