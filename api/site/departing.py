"""Somebody goes, or gives the account to a program: first at the tables, then in the store of people."""

from __future__ import annotations

from api.accounts.entered import entered_by, without_programs
from api.accounts.people import BotRefused
from api.accounts.service import AccountService
from api.http.clock import now
from api.http.identity import Person
from api.matches.service import MatchService
from domain.keys.commands import give_up_all


async def forget(person: Person, accounts: AccountService, matches: MatchService) -> None:
    """Nobody waits for the person any more, not even at a seat taken while the others were given up."""
    await matches.seating.depart(person.id)
    await accounts.erase(person)
    await matches.seating.depart(person.id)


async def give_to_program(person: Person, accounts: AccountService, matches: MatchService) -> None:
    """A program plays by the account from now on. It holds none of the keys that the person's browsers have brought,
    and could not sign with them: they are given up. `BotRefused` for somebody who sits at a table, has played rated, or
    takes part in an event without bots."""
    await matches.seating.require_unplayed(person.id)
    known = await matches.writer.read_model(entered_by, person.id)
    if event := await matches.writer.read_log(without_programs, person.id, known):
        sentence = f"you take part in {event!r}, which takes no accounts of bots"
        raise BotRefused(f"{sentence}; it comes to its end first, or you withdraw")
    await accounts.mark_bot(person)
    await matches.writer.execute(give_up_all, person.id, at=now())
