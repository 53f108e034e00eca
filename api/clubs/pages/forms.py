"""Forms of clubs."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from api.accounts.club_profiles import ClubNameBlank, ClubNameTaken
from api.clubs.schemas import ClubText, FoundClub, JoinClub
from api.http.forms import Form
from api.http.ids import id_in_address
from api.http.structs import RequestStruct, ShortGiven
from domain.clubs.facts import GivenRole
from domain.matches.errors import NoSuchStream
from domain.roles.errors import NoSuchPerson, RoleMissing


class NamedPerson(RequestStruct, frozen=True):
    """A person by id or name."""

    person: ShortGiven


class AnswerButton(RequestStruct, frozen=True):
    """The button that accepts or declines the reader's invitation."""

    accept: bool = False


class RequestButton(NamedPerson, frozen=True):
    """The button that accepts or declines a person's request."""

    accept: bool = False


class RoleButton(NamedPerson, frozen=True):
    """The button that makes a member an organiser, or the reverse."""

    role: GivenRole


class RemoveForm(NamedPerson, frozen=True):
    """A member to remove, with a reason."""

    reason: ClubText = ""


class EventForm(RequestStruct, frozen=True):
    """A tournament or league by its id or the address of its page."""

    event: ShortGiven

    @property
    def event_id(self) -> UUID:
        """The id of the event; raise `NoSuchStream` if the field contains none."""
        found = id_in_address(self.event)
        if found is None:
            raise NoSuchStream(f"{self.event!r} is neither the id nor the address of an event")
        return found


NAMED: Final = {ClubNameTaken: "name", ClubNameBlank: "name"}
FOUND: Final = Form("found", FoundClub, beside=NAMED)
CHANGE: Final = Form("change", FoundClub, beside=NAMED)
JOIN: Final = Form("join", JoinClub)
INVITE: Final = Form("invite", NamedPerson, beside={NoSuchPerson: "person"})
REMOVE: Final = Form("remove", RemoveForm)
EVENT: Final = Form("event", EventForm, beside={NoSuchStream: "event", RoleMissing: "event"})
ANSWER: Final = Form("button", AnswerButton)
REQUEST: Final = Form("button", RequestButton)
PERSON: Final = Form("button", NamedPerson)
ROLE: Final = Form("button", RoleButton)
EVENT_BUTTON: Final = Form("button", EventForm)
