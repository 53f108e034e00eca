"""The declaration of a setting: name of its variable, kind of value, default and meaning, in one place."""

from collections.abc import Callable
from typing import Any, Final, Generic, NamedTuple, TypeVar

import msgspec

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
NONE: Final = "none"
"""The default of a setting that is not set, as people read it."""


class Secret(msgspec.Struct, frozen=True):
    """A value that no log line, error or `repr` shows."""

    word: str = ""

    def __repr__(self) -> str:
        return "Secret(…)"


class Kind(NamedTuple, Generic[T_co]):
    """A kind of value: its written form, and a reader that raises `BadSetting`.

    The reader takes the name and the text of the variable.
    """

    form: str
    read: Callable[[str, str], T_co]


class Variable(msgspec.Struct, Generic[T], frozen=True):
    """A declared setting. Its value is the first of `names` that is set in the environment."""

    names: tuple[str, ...]
    kind: Kind[T]
    default: T
    meaning: str

    def __call__(self) -> T:
        """Return the default: msgspec calls the declaration of a field that has no value."""
        return self.default

    @property
    def default_word(self) -> str:
        """The default as it is written in the environment: lists with commas, booleans as 0 or 1, `NONE` if empty."""
        match self.default:
            case None | "" | () | Secret(word=""):
                return NONE
            case bool():
                return str(int(self.default))
            case float():
                return f"{self.default:g}"
            case tuple():
                return ",".join(map(str, self.default))
        return str(self.default)


def setting(name: str, kind: Kind[T], default: T, meaning: str, *, aliases: tuple[str, ...] = ()) -> T:
    """Declare a field of a struct as a setting, read from a variable of the environment.

    Other names of the variable count after the first.
    """
    return msgspec.field(default_factory=Variable((name, *aliases), kind, default, meaning))


def list_declarations(struct: type[msgspec.Struct]) -> dict[str, Variable[Any]]:
    """Return the declaration of every field of a struct."""
    fields = msgspec.structs.fields(struct)
    return {field.name: field.default_factory for field in fields if isinstance(field.default_factory, Variable)}
