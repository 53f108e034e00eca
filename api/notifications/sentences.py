"""Texts of notifications by kind, localised, without details of a position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from api.http.languages import _
from domain.kernel.messages import N_

SENTENCES: Final[Mapping[str, str]] = {
    "turn": N_("It is your turn: {match}"),
    "clock": N_("A quarter of your time is left: {match}"),
    "result": N_("The match is over: {match}"),
    "mention": N_("Somebody has mentioned you: {match}"),
    "mention/event": N_("Somebody has mentioned you: {event}"),
    "invitation/table": N_("You are invited to a table: {match}"),
    "invitation/tournament": N_("You are invited to a tournament: {event}"),
    "invitation/league": N_("You are invited to a league: {event}"),
    "invitation/seat": N_("You are invited to play as a substitute: {event}, round {number}"),
    "invitation/promoted": N_("A place has become free for you: {event}"),
    "invitation/substitute": N_("You are to play as a substitute: {event}, round {number}"),
    "round/published": N_("Your table of round {number} is known: {event}"),
    "round/reseated": N_("Places at your table of round {number} have changed: {event}"),
    "round/opened": N_("Round {number} is open: {event}"),
    "reminder/deadline": N_("Your table is to be played before the deadline of round {number}: {event}"),
    "reminder/moved": N_("The deadline of round {number} has been moved: {event}"),
    "reminder/announced": N_("There is an announcement: {event}"),
    "dispute/raised": N_("A dispute was raised: {match}"),
    "dispute/ruled": N_("An arbiter has ruled on a dispute: {match}"),
    "dispute/appealed": N_("A ruling was appealed: {match}"),
    "dispute/committee": N_("You are on the committee for an appeal: {match}"),
    "dispute/handed": N_("A dispute was handed over to you: {match}"),
    "confirm": N_("Confirm your mail address"),
}
"""Texts by kind, or by kind and variant."""
KIND_WORDS: Final[Mapping[str, str]] = {
    "turn": N_("My turn"),
    "clock": N_("My time runs short"),
    "invitation": N_("Invitations"),
    "round": N_("Rounds of my events"),
    "dispute": N_("Disputes"),
    "result": N_("Results"),
    "mention": N_("Mentions in talk"),
    "reminder": N_("Deadlines and announcements"),
}
PACE_WORDS: Final[Mapping[str, str]] = {
    "once": N_("At once"),
    "hourly": N_("Once an hour"),
    "daily": N_("Once a day"),
    "off": N_("Never"),
}
WHY: Final = N_("You receive this message because you play on {site} and have given this address there.")
STOP_KIND: Final = N_("No more messages of this kind")
STOP_ALL: Final = N_("No more messages at all")
CHOOSE: Final = N_("Choose what you are told")
CONFIRM: Final = N_("This address was given on {site}. Confirm it, and you are told here when it is your turn.")
CONFIRM_LINK: Final = N_("Confirm this address")
CONFIRM_ELSE: Final = N_("If it was not you, do nothing: nothing else is sent.")
DIGEST: Final = N_("What has happened at your tables")


def sentence_of(kind: str, what: str, values: Mapping[str, object]) -> str:
    """Return the text in the current language."""
    known = f"{kind}/{what}" if f"{kind}/{what}" in SENTENCES else kind
    return _(SENTENCES[known], **values)
