"""Base of the facts that tournaments and leagues share."""

from typing import Annotated

import msgspec

from domain.kernel.bounds import TEXT_MAX
from domain.kernel.values import Value

Text = Annotated[str, msgspec.Meta(max_length=TEXT_MAX)]


class ContestFact(Value, frozen=True, omit_defaults=True):
    """Base of the shared facts; fields at their defaults are not encoded.

    The tag of a record names the kind of its stream, so each subject records its own subclass (`contest_facts.py`
    of the subject). Decisions in this library change a fact that the subject created, and so keep its subclass.
    """
