"""The base of the facts of a match, and the words that fields of log format 3 hold."""

from typing import Generic, Literal, TypeVar

from domain.kernel.values import Value
from domain.matches.rulings.measures import snake
from domain.signatures.acts import Signed

A = TypeVar("A")

Authority = Literal["", "event", "service"]
"""Scope of the arbiter who ruled: one event, or the whole service. Empty: not stated."""
ReplacedFor = Literal["", "time_out", "substitute", "no_show", "returned", "erased", "handed_over"]
"""Why the service gives a seat to another player: its time ran out, an organiser named a substitute, the entrant is
absent or has the own seat again, the account was erased, or an official or operator handed it over. Empty: the player
did it, or not stated."""


class Happening(Value, frozen=True, tag_field="type", tag=snake, omit_defaults=True, kw_only=True):
    """Base of the facts; fields at their default are not written, so that old bodies stay canonical.

    `signed` comes last, where its player's seat or the service signs (`docs/specifications/signatures.md`).
    """

    signed: Signed | None = None


class SignedAction(Value, Generic[A], frozen=True):
    """A secret action with its signature, which would confirm guesses if it were public."""

    action: A
    signed: Signed
