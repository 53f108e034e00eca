"""Base of the union of league facts, and the word types that they share."""

from typing import Annotated

import msgspec

from domain.kernel.bounds import TEXT_MAX
from domain.kernel.values import Value, tagger

Text = Annotated[str, msgspec.Meta(max_length=TEXT_MAX)]


class LeagueFact(Value, frozen=True, tag_field="type", tag=tagger("league"), omit_defaults=True):
    """Base of the facts of a league; fields at their defaults are not written."""
