"""The departure of an account from all clubs, before it is erased or becomes a bot account."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Final

from api.clubs.commands import find_clubs_of
from api.clubs.store import ClubTexts
from api.http.writer import OneWriter
from domain.clubs.commands import remove_person
from domain.clubs.state import Club
from domain.eventstore.application import Matches
from domain.matches.facts import Actor
from projections import clubs
from projections.clubs import KnownClubs
from projections.platform.clock import now

WHOLE_LOG: Final = KnownClubs(0, ())
"""No known clubs: all are searched in the log."""


async def leave_clubs(person: Actor, writer: OneWriter, texts: ClubTexts) -> None:
    """Remove a person from all clubs; a club without owner and organisers is closed.

    Repeating changes nothing.
    """
    known = await writer.read_model(clubs.load_known_clubs, person)
    for club_id in await writer.read_log(find_clubs_of, person, known):
        stream = await writer.execute(remove_person, club_id, person, at=now())
        await asyncio.to_thread(forget_texts, texts, stream.state, person)


def leave_clubs_in_log(matches: Matches, texts: ClubTexts, person: Actor, *, at: datetime) -> None:
    """Remove a person from all clubs as `leave_clubs`, without a running service; reads the log to its end."""
    for club_id in find_clubs_of(matches, person, WHOLE_LOG):
        forget_texts(texts, remove_person(matches, club_id, person, at=at).state, person)


def forget_texts(texts: ClubTexts, club: Club, person: Actor) -> None:
    """Delete the message of a person who left a club, and all messages if the club is closed now."""
    texts.set_message(club.id, person, "")
    if not club.is_open:
        texts.forget_messages(club.id)
