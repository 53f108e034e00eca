"""How rows that several ranges of the log were folded to come together in one table."""

from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol, runtime_checkable


class Merge(NamedTuple):
    """Rows of one key may come from several ranges: these numbers are added, everything else is alike in all."""

    key: tuple[str, ...]
    added: tuple[str, ...] = ()

    def conflict(self, table: str) -> str:
        """What an INSERT does where the key is there."""
        if not self.added:
            return f"ON CONFLICT ({', '.join(self.key)}) DO NOTHING"
        sums = ", ".join(f"{column} = {table}.{column} + excluded.{column}" for column in self.added)
        return f"ON CONFLICT ({', '.join(self.key)}) DO UPDATE SET {sums}"


@runtime_checkable
class Merging(Protocol):
    """A projection that counts across matches. Rows of tables that it does not name belong to one match or stream."""

    @property
    def MERGED(self) -> Mapping[str, Merge]: ...  # noqa: N802  (a constant of a module)


class Absorbed(NamedTuple):
    """A table of a scratch file, the table its rows go to, and what happens where a key is there already."""

    source: str
    target: str
    conflict: str = ""


Absorb = Callable[[Absorbed], None]
"""Takes the rows of a table of a file."""
