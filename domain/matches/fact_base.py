"""The base class of facts and literal types of log format 3."""

from typing import Generic, Literal, TypeVar

from domain.kernel.values import Value
from domain.matches.rulings.measures import snake
from domain.signatures.acts import Signed

A = TypeVar("A")

Authority = Literal["", "event", "service"]
"""Scope of the arbiter who ruled: one event, or the whole service. Empty: not stated."""
ReplacedFor = Literal["", "time_out", "substitute", "no_show", "returned", "erased", "handed_over"]
"""Why the service replaced the player of a seat.

A time-out, a substitute named by an organiser, an absent entrant, the entrant's return, an erased account, or a
decision of an official or operator. Empty: done by the player, or not stated.
"""


class MatchFact(Value, frozen=True, tag_field="type", tag=snake, omit_defaults=True, kw_only=True):
    """The base of all facts; default values are not encoded, so that older bodies stay canonical.

    `signed` is last, where the player's seat or the service signs (`docs/specifications/signatures.md`).
    """

    signed: Signed | None = None


class SignedAction(Value, Generic[A], frozen=True):
    """A secret action with its signature, which would confirm guesses if it were public."""

    action: A
    signed: Signed
