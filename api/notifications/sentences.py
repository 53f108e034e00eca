"""Texts of notifications by kind, localised, without details of a position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from api.http.languages import _
from domain.kernel.messages import N_

SENTENCES: Final[Mapping[str, str]] = {
    "turn": N_("Your turn: {match}"),
    "clock": N_("You have a quarter of your time left: {match}"),
    "hour": N_("You have an hour left: {match}"),
    "result": N_("Match over: {match}"),
    "mention": N_("Someone mentioned you: {match}"),
    "mention/event": N_("Someone mentioned you: {event}"),
    "invitation/table": N_("You are invited to a table: {match}"),
    "invitation/tournament": N_("You are invited to a tournament: {event}"),
    "invitation/league": N_("You are invited to a league: {event}"),
    "invitation/seat": N_("You are invited to play as a substitute: {event}, round {number}"),
    "invitation/promoted": N_("You got a place from the waiting list: {event}"),
    "invitation/offer": N_("A place is offered to you: {event}, round {number}"),
    "invitation/substitute": N_("You are playing as a substitute: {event}, round {number}"),
    "invitation/club": N_("You are invited to a club: {club}"),
    "invitation/club_asked": N_("A player wants to join your club: {club}"),
    "invitation/club_joined": N_("You are now a member of a club: {club}"),
    "invitation/club_declined": N_("Your request to join a club was declined: {club}"),
    "invitation/club_removed": N_("You were removed from a club: {club}"),
    "invitation/club_organiser": N_("You are now an organiser of a club: {club}"),
    "invitation/club_owner": N_("You are now the owner of a club: {club}"),
    "round/published": N_("Your table for round {number} is set: {event}"),
    "round/reseated": N_("Seats at your table for round {number} have changed: {event}"),
    "round/proposed": N_("The groups of the season are proposed: {event}"),
    "round/opened": N_("Round {number} is open: {event}"),
    "reminder/deadline": N_("Play your match before the round {number} deadline: {event}"),
    "reminder/moved": N_("New deadline for round {number}: {event}"),
    "reminder/announced": N_("New announcement: {event}"),
    "reminder/holiday": N_("An opponent announced a holiday: {match}"),
    "dispute/raised": N_("New dispute: {match}"),
    "dispute/ruled": N_("An arbiter ruled on a dispute: {match}"),
    "dispute/appealed": N_("A ruling was appealed: {match}"),
    "dispute/committee": N_("You are on an appeal committee: {match}"),
    "dispute/handed": N_("A dispute was assigned to you: {match}"),
    "confirm": N_("Confirm your email address"),
}
"""Texts by kind, or by kind and variant."""
KIND_WORDS: Final[Mapping[str, str]] = {
    "turn": N_("My turn"),
    "clock": N_("My time is running out"),
    "hour": N_("I have an hour left by correspondence"),
    "invitation": N_("Invitations and clubs"),
    "round": N_("Rounds of my tournaments and leagues"),
    "dispute": N_("Disputes"),
    "result": N_("Results"),
    "mention": N_("Mentions in chat"),
    "reminder": N_("Deadlines and announcements"),
}
PACE_WORDS: Final[Mapping[str, str]] = {
    "once": N_("At once"),
    "hourly": N_("Hourly"),
    "daily": N_("Daily"),
    "off": N_("Never"),
}
WHY: Final = N_("You are receiving this email because you play on {site} and entered this address there.")
STOP_KIND: Final = N_("Unsubscribe from emails like this")
STOP_ALL: Final = N_("Unsubscribe from all emails")
CHOOSE: Final = N_("Notification settings")
CONFIRM: Final = N_(
    "This address was entered on {site}. Confirm it to get notifications here, for example when it is your turn."
)
CONFIRM_LINK: Final = N_("Confirm this address")
CONFIRM_ELSE: Final = N_("If this was not you, ignore this email. You will not get any more.")
DIGEST: Final = N_("News from your tables")


def sentence_of(kind: str, what: str, values: Mapping[str, object]) -> str:
    """Return the text in the current language."""
    key = f"{kind}/{what}" if f"{kind}/{what}" in SENTENCES else kind
    return _(SENTENCES[key], **values)
