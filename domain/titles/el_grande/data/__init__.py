"""The shipped component tables (TOML files in this folder): their common fields, and how to read them."""

from collections.abc import Mapping
from typing import Any, Final, TypeVar

import msgspec

from domain.kernel import component_data
from domain.kernel.component_data import DataFault, convert_value, demand_provenance, require_unique

T = TypeVar("T")

COMPONENTS_FILE: Final = "components.toml"

_REMARK_KEYS: Final = frozenset({"prov", "note", "notes", "sources"})


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A row of component data; `prov` states the provenance of its values, `note` holds remarks."""

    prov: Mapping[str, str | tuple[str, ...]]
    note: str = ""


def read_table(file: str) -> dict[str, Any]:
    """Return a shipped component file, unchecked."""
    return component_data.read_table(__name__, file)


def part(table: Mapping[str, Any], key: str, location: str) -> Any:
    """Return a value of a file or record; raise `DataFault` if the key is missing."""
    if key not in table:
        raise DataFault(f"{location}: the key `{key}` is missing")
    return table[key]


def record(type_: type[T], raw: object, location: str) -> T:
    """Return a record; raise `DataFault` if its type or a provenance word is wrong, or `prov` is missing."""
    if not isinstance(raw, Mapping):
        raise DataFault(f"{location}: expected a table, not {raw!r}")
    for key, provenance in part(raw, "prov", location).items():
        for term in provenance if isinstance(provenance, list) else (provenance,):
            demand_provenance(term, location, key)
    return convert_value(type_, raw, location)


def records(type_: type[T], table: Mapping[str, Any], key: str, file: str, name: str = "id") -> tuple[T, ...]:
    """Return the records of a list; `name` is the key that identifies each in messages and must be unique.

    Raise `DataFault` if it is missing, no list, or a record is invalid.
    """
    raw = part(table, key, file)
    if not isinstance(raw, list):
        raise DataFault(f"{file}: key `{key}`: expected a list of tables, not {raw!r}")
    require_unique((item.get(name) for item in raw), f"{file}, {key}: key `{name}`")
    return tuple(
        record(type_, item, f"{file}, {key} {item.get(name, f'at place {number}')}")
        for number, item in enumerate(raw, start=1)
    )


def digest_of(*tables: Mapping[str, Any]) -> str:
    """Return the SHA-256 (hex) of the tables without their remarks."""
    return component_data.digest_of(tables, _REMARK_KEYS.__contains__)
