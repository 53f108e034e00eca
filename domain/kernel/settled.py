"""The effects of an action together with the states before and after them."""

from typing import Any, TypeVar

E = TypeVar("E")


class SettledEffects(tuple[E, ...]):
    """The effects of an action, and the states before and after them, so that callers need not fold again.

    It has a separate module because mypyc cannot compile a tuple subclass with attributes.
    """

    before: Any
    after: Any
