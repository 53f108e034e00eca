"""The base of the facts of a match, and the words that fields of log format 3 hold."""

from typing import Literal

from domain.kernel.values import Value
from domain.matches.measures import snake
from domain.signatures.acts import Signed

Authority = Literal["", "event", "service"]
"""Where the author of a ruling is an arbiter: in the event alone, or in the whole service. Empty: not stated."""


class Happening(Value, frozen=True, tag_field="type", tag=snake, omit_defaults=True, kw_only=True):
    """Base of the facts; fields at their default are not written, so that old bodies stay canonical.

    `signed` comes last, where its player's seat or the service signs (`docs/signatures.md`).
    """

    signed: Signed | None = None
