"""The effects of an action with the positions on either side of them."""

from typing import Any, TypeVar

E = TypeVar("E")


class Settled(tuple[E, ...]):
    """The effects of an action, and the positions before and after them: whoever has them need not fold them again.

    In a module of its own, because a tuple with attributes is one of the things mypyc does not compile.
    """

    before: Any
    after: Any
