"""Base of the facts that tournaments and leagues share."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

import msgspec

from domain.kernel.bounds import TEXT_MAX
from domain.kernel.values import Value

Text = Annotated[str, msgspec.Meta(max_length=TEXT_MAX)]


class ContestFact(Value, frozen=True, omit_defaults=True):
    """Base of the shared facts; fields at their defaults are not encoded.

    The tag of a record names the kind of its stream, so each subject records its own subclass (`contest_facts.py`
    of the subject). Decisions in this library return the base, which `adopt` turns into that subclass.
    """


def bases_of(kinds: Iterable[type[Any]]) -> Mapping[type[Any], type[Any]]:
    """Return the subclasses of a subject by the shared fact that each extends."""
    return {kind.__mro__[1]: kind for kind in kinds}


def adopt(kinds: Mapping[type[Any], type[Any]], fact: ContestFact) -> Any:
    """Return a shared fact as the subclass of a subject."""
    return kinds[type(fact)](**{name: getattr(fact, name) for name in fact.__struct_fields__})
