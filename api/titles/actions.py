"""The types of actions in requests and forms, for the list of titles that a service plays."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any, TypeVar, cast

from msgspec import Struct, defstruct

from domain.kernel.title import Titles
from domain.titles import TITLES

S = TypeVar("S", bound=Struct)


def action_type(titles: Titles) -> Any:
    """Return the tagged union of the actions of all titles; decoding rejects unknown actions."""
    return reduce(or_, (title.codec.action for title in titles.values()))


def redeclare(base: type[S], name: str, kind: object) -> type[S]:
    """Return a subclass of the struct with the same name, and a different type for one of its fields."""
    struct: Any = defstruct(
        base.__name__,
        [(name, kind)],
        bases=(base,),
        namespace={"__doc__": base.__doc__},
        module=base.__module__,
        frozen=True,
        kw_only=True,
    )
    return cast("type[S]", struct)


def with_action(base: type[S], titles: Titles) -> type[S]:
    """Return the request or form with an `action` of this list of titles.

    Requests are declared for the list `TITLES`; a service with another list decodes its own.
    """
    return base if titles is TITLES else redeclare(base, "action", action_type(titles))
