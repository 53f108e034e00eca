"""What every fact of a tournament has in common: the base of the union, and the words in it."""

from typing import Annotated

import msgspec

from domain.kernel.bounds import NAME_MAX, TEXT_MAX
from domain.kernel.values import Value, tagger


class TournamentFact(Value, frozen=True, tag_field="type", tag=tagger("tournament"), omit_defaults=True):
    """Base of what happens to a tournament; what stands at its default is not written."""


Name = Annotated[str, msgspec.Meta(min_length=1, max_length=NAME_MAX)]
Text = Annotated[str, msgspec.Meta(max_length=TEXT_MAX)]
