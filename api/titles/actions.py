"""What programs may send as an action: the requests that hold one, for the list of titles a service plays."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, TypeVar, cast

from msgspec import Meta, Struct, defstruct

from api.matches.wire import Act, action_type
from api.studies.wire import STEPS_MAX, PlayVariation, WantedStep
from api.web.forms import Form
from domain.kernel.title import Titles
from domain.titles import TITLES

S = TypeVar("S", bound=Struct)


def with_actions(base: type[S], titles: Titles) -> type[S]:
    """A request or a form that holds an `action`, or `steps` of a variation, for this list of titles. They are declared
    for the one list; a service with another list decodes its own."""
    if titles is TITLES:
        return base
    if "action" in base.__struct_fields__:
        name, kind = "action", action_type(titles)
    else:
        step = with_actions(WantedStep, titles)
        name, kind = "steps", Annotated[tuple[step, ...], Meta(min_length=1, max_length=STEPS_MAX)]  # type: ignore[valid-type]  # made here
    made: Any = defstruct(
        base.__name__,
        [(name, kind)],
        bases=(base,),
        namespace={"__doc__": base.__doc__},
        module=base.__module__,
        frozen=True,
        kw_only=True,
    )
    return cast("type[S]", made)


def wire_types(titles: Titles) -> dict[str, Any]:
    """The requests by the names handlers know them by."""
    return {} if titles is TITLES else {base.__name__: with_actions(base, titles) for base in (Act, PlayVariation)}


def form_with_actions(form: Form[S], titles: Titles) -> Form[S]:
    """A form of a page whose buttons stand for actions, for this list of titles."""
    return form if titles is TITLES else replace(form, kind=with_actions(form.kind, titles))
