"""Messages of requests to join clubs and reasons of removals; erasing a person deletes them."""

from __future__ import annotations

from typing import Final, NamedTuple
from uuid import UUID

from sqlalchemy import bindparam, delete, select

from api.accounts.store import Store
from api.accounts.tables.clubs import CLUB_REMOVALS, CLUB_REQUESTS
from api.http.app_state import AppKey
from domain.matches.facts import Actor
from projections.platform.statements import upsert

REQUESTS: Final = CLUB_REQUESTS.c
REMOVALS: Final = CLUB_REMOVALS.c
OF_CLUB: Final = select(REQUESTS.person, REQUESTS.message).where(REQUESTS.club == bindparam("club"))
MESSAGES_OF: Final = (
    select(REQUESTS.club, REQUESTS.message).where(REQUESTS.person == bindparam("person")).order_by(REQUESTS.club)
)
SET_MESSAGE: Final = upsert(CLUB_REQUESTS)
FORGET_MESSAGE: Final = delete(CLUB_REQUESTS).where(
    REQUESTS.club == bindparam("club"), REQUESTS.person == bindparam("person")
)
FORGET_MESSAGES: Final = delete(CLUB_REQUESTS).where(REQUESTS.club == bindparam("club"))
REASONS_OF: Final = (
    select(REMOVALS.club, REMOVALS.reason).where(REMOVALS.person == bindparam("person")).order_by(REMOVALS.club)
)
SET_REASON: Final = upsert(CLUB_REMOVALS)
FORGET_REASON: Final = delete(CLUB_REMOVALS).where(
    REMOVALS.club == bindparam("club"), REMOVALS.person == bindparam("person")
)


class ClubText(NamedTuple):
    """A text about a person and a club: the message of a request, or the reason of a removal."""

    club: UUID
    text: str


class ClubTexts(Store):
    """Messages of open requests, and reasons of removals."""

    def messages(self, club: UUID) -> dict[Actor, str]:
        """Return the messages of the open requests to a club, by person."""
        return dict(self.rows(OF_CLUB, club=str(club)))

    def messages_of(self, person: Actor) -> tuple[ClubText, ...]:
        """Return the messages of a person's open requests."""
        return tuple(ClubText(UUID(club), text) for club, text in self.rows(MESSAGES_OF, person=person))

    def set_message(self, club: UUID, person: Actor, message: str) -> None:
        """Store the message of a request before it is recorded; an empty one deletes the message."""
        with self.transaction() as database:
            if message:
                database.change(SET_MESSAGE, club=str(club), person=person, message=message)
            else:
                database.change(FORGET_MESSAGE, club=str(club), person=person)

    def forget_messages(self, club: UUID) -> None:
        """Delete the messages of all requests to a club that was closed."""
        with self.transaction() as database:
            database.change(FORGET_MESSAGES, club=str(club))

    def reasons_of(self, person: Actor) -> tuple[ClubText, ...]:
        """Return the reasons for which a person was removed from clubs."""
        return tuple(ClubText(UUID(club), text) for club, text in self.rows(REASONS_OF, person=person))

    def set_reason(self, club: UUID, person: Actor, reason: str) -> None:
        """Store the reason of a removal before it is recorded; an empty one deletes it, once the person is back."""
        with self.transaction() as database:
            if reason:
                database.change(SET_REASON, club=str(club), person=person, reason=reason)
            else:
                database.change(FORGET_REASON, club=str(club), person=person)


CLUB_TEXTS: Final = AppKey[ClubTexts]("club_texts")
