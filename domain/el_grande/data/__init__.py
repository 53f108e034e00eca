"""The component table as shipped (TOML beside this file), read strictly: a fault names file, record and key."""

import hashlib
import re
import tomllib
from collections.abc import Iterable, Mapping
from importlib import resources
from typing import Any, Final, TypeVar

import msgspec

T = TypeVar("T")

COMPONENTS_FILE: Final = "components.toml"

PROVENANCE_WORDS: Final = re.compile(r"seed|recalled|reconstructed|found:\S+")
_REMARK_KEYS: Final = frozenset({"prov", "note", "notes", "sources"})


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A row of component data; `prov` says where its values come from, `note` what is to be said about them."""

    prov: Mapping[str, str | tuple[str, ...]]
    note: str = ""


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


def part(table: Mapping[str, Any], key: str, where: str) -> Any:
    """One named part of a file or record."""
    if key not in table:
        raise DataFault(f"{where}: the key `{key}` is missing")
    return table[key]


def record(type_: type[T], raw: Any, where: str) -> T:
    """One record whose provenance is written in known words."""
    if not isinstance(raw, Mapping):
        raise DataFault(f"{where}: a table is expected, not {raw!r}")
    for key, words in part(raw, "prov", where).items():
        for word in words if isinstance(words, list) else (words,):
            known = isinstance(word, str) and PROVENANCE_WORDS.fullmatch(word) is not None
            demand(known, where, f"`{word}` is no provenance of the key `{key}`")
    return plain(type_, raw, where)


def plain(type_: type[T], raw: Any, where: str) -> T:
    """One record that has no provenance of its own."""
    try:
        return msgspec.convert(raw, type_)
    except msgspec.ValidationError as fault:
        raise DataFault(_located(where, str(fault))) from fault


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
        return {key: _played(value) for key, value in raw.items() if key not in _REMARK_KEYS}
    if isinstance(raw, list):
        return [_played(value) for value in raw]
    return raw


def _located(where: str, fault: str) -> str:
    """The library's `… - at `$.a.b`` as a sentence that names the key."""
    text, _, path = fault.partition(" - at `$")
    unknown = re.search(r"unknown field `(.*)`", text)
    missing = re.search(r"missing required field `(.*)`", text)
    inner = path.rstrip("`").removeprefix(".")
    for found, told in ((unknown, "an unknown key"), (missing, "the key is missing")):
        if found:
            text, inner = told, f"{inner}.{found.group(1)}" if inner else found.group(1)
    return f"{where}: key `{inner}`: {text}"
