"""What every fact of a league has in common: the base of the union, and the words in it."""

from typing import Annotated

import msgspec

from domain.kernel.bounds import TEXT_MAX
from domain.kernel.values import Value, tagger

Text = Annotated[str, msgspec.Meta(max_length=TEXT_MAX)]


class LeagueFact(Value, frozen=True, tag_field="type", tag=tagger("league"), omit_defaults=True):
    """Base of what happens to a league; what stands at its default is not written."""
