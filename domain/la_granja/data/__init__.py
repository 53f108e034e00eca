"""The component tables as shipped (TOML beside this file), read strictly: a fault names file, record and key."""

import hashlib
import re
import tomllib
from collections.abc import Iterable, Mapping
from importlib import resources
from typing import Any, Final, TypeVar

import msgspec

T = TypeVar("T")

COMPONENTS_FILE: Final = "components.toml"
CARDS_FILE: Final = "farm_cards.toml"

PROVENANCE_WORDS: Final = re.compile(r"seed|recalled|reconstructed|found:\S+")
_REMARK_KEYS: Final = frozenset({"source", "sources", "note", "notes"})


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A row of component data; `sources` says where each value comes from."""

    sources: Mapping[str, str]


class DataFault(Exception):
    """A component file that does not say what it should; the message names file, record and key."""


def read_table(file: str) -> dict[str, Any]:
    """A shipped component file as it stands."""
    return parse_table((resources.files(__name__) / file).read_text(encoding="utf-8"), file)


def parse_table(text: str, file: str) -> dict[str, Any]:
    """The text of a component file as tables; a `DataFault` names line and column of what is not TOML."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise DataFault(f"{file} is not TOML: {fault}") from fault


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
    return plain(type_, _sourced(raw, where, follows or {}), where)


def plain(type_: type[T], raw: Any, where: str) -> T:
    """One record that has no provenance of its own."""
    try:
        return msgspec.convert(raw, type_)
    except msgspec.ValidationError as fault:
        raise DataFault(_located(where, str(fault))) from fault


def records(type_: type[T], raw: Any, where: str, name: str, follows: Mapping[str, str] | None = None) -> tuple[T, ...]:
    """A list of records; each is called by its `name` key in messages."""
    if not isinstance(raw, list):
        raise DataFault(f"{where}: a list of tables is expected, not {raw!r}")
    return tuple(
        record(type_, item, f"{where} {item.get(name, f'at place {place}')}", follows)
        for place, item in enumerate(raw, start=1)
    )


def unique(values: Iterable[object], where: str) -> None:
    """Refuses a value that stands twice."""
    seen = set[object]()
    for value in values:
        if value in seen:
            raise DataFault(f"{where}: {value!r} stands there twice")
        seen.add(value)


def demand(condition: bool, where: str, sentence: str) -> None:
    """Refuses data that breaks what `sentence` demands."""
    if not condition:
        raise DataFault(f"{where}: {sentence}")


def digest_of(*tables: Mapping[str, Any]) -> str:
    """SHA-256 (hex) of what play depends on: the values in canonical JSON, without provenance and remarks."""
    return hashlib.sha256(msgspec.json.encode([_played(table) for table in tables], order="sorted")).hexdigest()


def _played(raw: Any) -> Any:
    if isinstance(raw, Mapping):
        return {key: _played(value) for key, value in raw.items() if not _is_remark(key)}
    if isinstance(raw, list):
        return [_played(value) for value in raw]
    return raw


def _is_remark(key: str) -> bool:
    return key in _REMARK_KEYS or key.endswith(("_source", "_note"))


def _sourced(raw: Mapping[str, Any], where: str, follows: Mapping[str, str]) -> dict[str, Any]:
    """The record with its remarks taken out of the values and its provenance complete."""
    values = {key: value for key, value in raw.items() if key == "notes" or not _is_remark(key)}
    stated = {key.removesuffix("_source"): value for key, value in raw.items() if key.endswith("_source")}
    sources = dict[str, str]()
    for key in values:
        source = stated.get(key) or stated.get(follows.get(key, key)) or raw.get("source")
        demand(source is not None, where, f"the key `{key}` has no provenance")
        demand(
            isinstance(source, str) and PROVENANCE_WORDS.fullmatch(source) is not None,
            where,
            f"`{source}` is no provenance of the key `{key}`",
        )
        sources[key] = str(source)
    return {**values, "sources": sources}


def _located(where: str, fault: str) -> str:
    """The library's `… - at `$.a.b`` as a sentence that ends in the key."""
    text, _, path = fault.partition(" - at `$")
    unknown = re.search(r"unknown field `(.*)`", text)
    missing = re.search(r"missing required field `(.*)`", text)
    inner = path.rstrip("`").removeprefix(".")
    if unknown or missing:
        name = (unknown or missing).group(1)  # type: ignore[union-attr]  # one of them matched
        text = "an unknown key" if unknown else "the key is missing"
        inner = f"{inner}.{name}" if inner else name
    return f"{where}: key `{inner}`: {text}"
