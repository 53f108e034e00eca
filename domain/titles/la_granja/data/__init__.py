"""Readers of the TOML component tables in this folder, and the base of their records."""

from collections.abc import Mapping
from typing import Any, Final, TypeVar

import msgspec

from domain.kernel import component_data
from domain.kernel.component_data import DataFault, convert_value, demand, demand_provenance

T = TypeVar("T")

COMPONENTS_FILE: Final = "components.toml"
CARDS_FILE: Final = "farm_cards.toml"

_REMARK_KEYS: Final = frozenset({"source", "sources", "note", "notes"})


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A row of component data; `sources` maps each key to its provenance."""

    sources: Mapping[str, str]


def read_table(file: str) -> dict[str, Any]:
    """Return a component file of the package as parsed TOML."""
    return component_data.read_table(__name__, file)


def part(table: Mapping[str, Any], key: str, file: str) -> Any:
    """Return `table[key]`; raise `DataFault` if it is missing."""
    if key not in table:
        raise DataFault(f"{file}: the key `{key}` is missing")
    return table[key]


def record(type_: type[T], raw: object, location: str, follows: Mapping[str, str] | None = None) -> T:
    """Return a table as a record of `type_`, with the provenance of each value in `sources`.

    The provenance of a value is its own `<key>_source`, else the provenance of the key it follows (for example, a
    helper's params follow its text), else the `source` of its table. Raise `DataFault` if there is none.
    """
    if not isinstance(raw, Mapping):
        raise DataFault(f"{location}: expected a table, not {raw!r}")
    return convert_value(type_, _with_sources(raw, location, follows or {}), location)


def records(
    type_: type[T], raw: object, location: str, name: str, follows: Mapping[str, str] | None = None
) -> tuple[T, ...]:
    """Return a list of tables as records; error messages identify a record by its `name` key.

    Raise `DataFault` if it is no list, or a record is invalid.
    """
    if not isinstance(raw, list):
        raise DataFault(f"{location}: expected a list of tables, not {raw!r}")
    return tuple(
        record(type_, item, f"{location} {item.get(name, f'at place {number}')}", follows)
        for number, item in enumerate(raw, start=1)
    )


def digest_of(*tables: Mapping[str, Any]) -> str:
    """Return the SHA-256 (hex) of the tables without remarks."""
    return component_data.digest_of(tables, _is_remark)


def _is_remark(key: str) -> bool:
    return key in _REMARK_KEYS or key.endswith(("_source", "_note"))


def _with_sources(raw: Mapping[str, Any], location: str, follows: Mapping[str, str]) -> dict[str, Any]:
    """Return the values without remarks, plus `sources`; raise `DataFault` if a value has no provenance."""
    values = {key: value for key, value in raw.items() if key == "notes" or not _is_remark(key)}
    own_sources = {key.removesuffix("_source"): value for key, value in raw.items() if key.endswith("_source")}
    sources = dict[str, str]()
    for key in values:
        source = own_sources.get(key) or own_sources.get(follows.get(key, key)) or raw.get("source")
        demand(source is not None, location, f"the key `{key}` has no provenance")
        demand_provenance(source, location, key)
        sources[key] = str(source)
    return {**values, "sources": sources}
