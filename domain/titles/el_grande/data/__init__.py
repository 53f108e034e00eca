"""The component table as shipped (TOML beside this file): what its records have in common, and how they are read."""

from collections.abc import Mapping
from typing import Any, Final, TypeVar

import msgspec

from domain.kernel import component_data
from domain.kernel.component_data import DataFault, demand_provenance, plain, unique

T = TypeVar("T")

COMPONENTS_FILE: Final = "components.toml"

_REMARK_KEYS: Final = frozenset({"prov", "note", "notes", "sources"})


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A row of component data; `prov` says where its values come from, `note` what is to be said about them."""

    prov: Mapping[str, str | tuple[str, ...]]
    note: str = ""


def read_table(file: str) -> dict[str, Any]:
    """A shipped component file as it stands."""
    return component_data.read_table(__name__, file)


def part(table: Mapping[str, Any], key: str, where: str) -> Any:
    """One named part of a file or record."""
    if key not in table:
        raise DataFault(f"{where}: the key `{key}` is missing")
    return table[key]


def record(type_: type[T], raw: object, where: str) -> T:
    """One record whose provenance is written in known words."""
    if not isinstance(raw, Mapping):
        raise DataFault(f"{where}: a table is expected, not {raw!r}")
    for key, words in part(raw, "prov", where).items():
        for word in words if isinstance(words, list) else (words,):
            demand_provenance(word, where, key)
    return plain(type_, raw, where)


def records(type_: type[T], table: Mapping[str, Any], key: str, file: str, name: str = "id") -> tuple[T, ...]:
    """The records of a list; each is called by its `name` key in messages, and no name stands twice."""
    raw = part(table, key, file)
    if not isinstance(raw, list):
        raise DataFault(f"{file}: key `{key}`: a list of tables is expected")
    unique((item.get(name) for item in raw), f"{file}, {key}: key `{name}`")
    return tuple(
        record(type_, item, f"{file}, {key} {item.get(name, f'at place {place}')}")
        for place, item in enumerate(raw, start=1)
    )


def digest_of(*tables: Mapping[str, Any]) -> str:
    """SHA-256 (hex) of what play depends on."""
    return component_data.digest_of(tables, _REMARK_KEYS.__contains__)
