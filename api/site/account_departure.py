"""Erasing an account, or turning it into a bot account: leave the tables first, then change the account."""

from __future__ import annotations

from api.accounts.entered_events import find_event_without_bots, load_entered_events
from api.accounts.people import BotRefused
from api.accounts.service import AccountService
from api.clubs.departures import leave_clubs
from api.clubs.store import ClubTexts
from api.contests.departures import find_current, leave_contests
from api.http.identity import Person
from api.matches.service import MatchService
from domain.keys.commands import retire_all_keys
from projections.platform.clock import now


async def leave_and_erase(
    person: Person, accounts: AccountService, matches: MatchService, club_texts: ClubTexts
) -> None:
    """Leave all seats, events and clubs and erase the account, then leave any joined in between."""
    await leave(person, matches, club_texts)
    await accounts.erase(person)
    await leave(person, matches, club_texts)


async def leave(person: Person, matches: MatchService, club_texts: ClubTexts) -> None:
    """Leave all seats and clubs, and withdraw from all current events."""
    await matches.seating.depart(person.id)
    entered_events = await matches.writer.read_model(load_entered_events, person.id)
    current = await matches.writer.read_log(find_current, person.id, entered_events)
    if current:
        await matches.writer.execute(leave_contests, person.id, current, at=now())
    await leave_clubs(person.id, matches.writer, club_texts)


async def leave_and_mark_bot(
    person: Person, accounts: AccountService, matches: MatchService, club_texts: ClubTexts
) -> None:
    """Make the account a bot account, which leaves all clubs and gives up the keys of its browsers.

    A program could not use the keys.

    Raise `BotRefused` if the person is at a table, has played rated, or participates in an event without bots.
    """
    await matches.seating.require_unplayed(person.id)
    entered_events = await matches.writer.read_model(load_entered_events, person.id)
    if event := await matches.writer.read_log(find_event_without_bots, person.id, entered_events):
        sentence = f"you play in {event!r}, which does not allow bot accounts"
        raise BotRefused(f"{sentence}; withdraw, or wait until it has ended")
    await accounts.mark_bot(person)
    await leave_clubs(person.id, matches.writer, club_texts)
    await matches.writer.execute(retire_all_keys, person.id, at=now())
