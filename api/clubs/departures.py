"""The departure of an account from all clubs, before it is erased or becomes a bot account."""

from __future__ import annotations

import asyncio

from api.clubs.commands import find_clubs_of
from api.clubs.store import ClubTexts
from api.http.writer import OneWriter
from domain.clubs.commands import remove_person
from domain.matches.facts import Actor
from projections import clubs
from projections.platform.clock import now


async def leave_clubs(person: Actor, writer: OneWriter, texts: ClubTexts) -> None:
    """Remove a person from all clubs; a club without owner and organisers is closed.

    Repeating changes nothing.
    """
    known = await writer.read_model(clubs.load_known_clubs, person)
    for club_id in await writer.read_log(find_clubs_of, person, known):
        stream = await writer.execute(remove_person, club_id, person, at=now())
        await asyncio.to_thread(texts.set_message, club_id, person, "")
        if not stream.state.is_open:
            await asyncio.to_thread(texts.forget_messages, club_id)
