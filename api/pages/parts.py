"""Parts of a page that stay the same for many entries, or for many readers: drawn once, as long as they are wanted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final

import msgspec
from jinja2 import Environment
from markupsafe import Markup

from api.languages import spoken

KEPT_MAX: Final = 2_048
"""A table with four farms has some twenty parts, of 1 to 8 kB: this is enough for dozens of tables at once."""


class Part(msgspec.Struct, frozen=True):
    """A part and the values it is drawn from, which can be hashed.

    Its template finds nothing but what `context` makes of them, and the names of the players: equal values make equal
    parts, whoever reads them, and what one reader may not see cannot come from another's.
    """

    template: str
    context: Callable[..., Mapping[str, Any]]
    values: tuple[Any, ...]


def draw_parts_once(environment: Environment) -> None:
    """Templates of this environment draw their parts with `drawn(part)`, or `drawn(part, names)`."""

    @lru_cache(KEPT_MAX)
    def kept(_: str, part: Part, names: tuple[str, ...]) -> Markup:
        context = {**part.context(*part.values), "names": names}
        return Markup(environment.get_template(part.template).render(context))  # noqa: S704  (escaped by the template)

    def drawn(part: Part, names: tuple[str, ...] = ()) -> Markup:
        return kept(spoken(), part, names)

    environment.globals["drawn"] = drawn
