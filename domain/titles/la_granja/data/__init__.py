"""The component tables as shipped (TOML beside this file): what their records have in common, and how they are read."""

from collections.abc import Mapping
from typing import Any, Final, TypeVar

import msgspec

from domain.kernel import component_data
from domain.kernel.component_data import DataFault, demand, demand_provenance, plain

T = TypeVar("T")

COMPONENTS_FILE: Final = "components.toml"
CARDS_FILE: Final = "farm_cards.toml"

_REMARK_KEYS: Final = frozenset({"source", "sources", "note", "notes"})


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A row of component data; `sources` says where each value comes from."""

    sources: Mapping[str, str]


def read_table(file: str) -> dict[str, Any]:
    """A shipped component file as it stands."""
    return component_data.read_table(__name__, file)


def part(table: Mapping[str, Any], key: str, file: str) -> Any:
    """One named part of a file."""
    if key not in table:
        raise DataFault(f"{file}: the table `{key}` is missing")
    return table[key]


def record(type_: type[T], raw: Any, where: str, follows: Mapping[str, str] | None = None) -> T:
    """One record of a file with its provenance gathered in `sources`; every value must have one.

    A value's provenance is its own `<key>_source`, else that of the key it follows (the machine vocabulary of a
    helper follows its text), else the `source` of its table.
    """
    if not isinstance(raw, Mapping):
        raise DataFault(f"{where}: a table is expected, not {raw!r}")
    return plain(type_, _with_sources(raw, where, follows or {}), where)


def records(type_: type[T], raw: Any, where: str, name: str, follows: Mapping[str, str] | None = None) -> tuple[T, ...]:
    """A list of records; each is called by its `name` key in messages."""
    if not isinstance(raw, list):
        raise DataFault(f"{where}: a list of tables is expected, not {raw!r}")
    return tuple(
        record(type_, item, f"{where} {item.get(name, f'at place {place}')}", follows)
        for place, item in enumerate(raw, start=1)
    )


def digest_of(*tables: Mapping[str, Any]) -> str:
    """SHA-256 (hex) of what play depends on."""
    return component_data.digest_of(tables, _is_remark)


def _is_remark(key: str) -> bool:
    return key in _REMARK_KEYS or key.endswith(("_source", "_note"))


def _with_sources(raw: Mapping[str, Any], where: str, follows: Mapping[str, str]) -> dict[str, Any]:
    """The record with its remarks taken out of the values and its provenance complete."""
    values = {key: value for key, value in raw.items() if key == "notes" or not _is_remark(key)}
    stated = {key.removesuffix("_source"): value for key, value in raw.items() if key.endswith("_source")}
    sources = dict[str, str]()
    for key in values:
        source = stated.get(key) or stated.get(follows.get(key, key)) or raw.get("source")
        demand(source is not None, where, f"the key `{key}` has no provenance")
        demand_provenance(source, where, key)
        sources[key] = str(source)
    return {**values, "sources": sources}
