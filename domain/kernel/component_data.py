"""Component tables (TOML) read strictly: a fault names file, record and key. What a title's records hold, it says."""

import hashlib
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from importlib import resources
from typing import Any, Final, TypeVar

import msgspec

T = TypeVar("T")

PROVENANCE_WORDS: Final = re.compile(r"seed|recalled|reconstructed|found:\S+")


class DataFault(Exception):
    """A component file that does not say what it should; the message names file, record and key."""


def read_table(package: str, file: str) -> dict[str, Any]:
    """A component file shipped in a package, as it stands."""
    return parse_table((resources.files(package) / file).read_text(encoding="utf-8"), file)


def parse_table(text: str, file: str) -> dict[str, Any]:
    """The text of a component file as tables; a `DataFault` names line and column of what is not TOML."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise DataFault(f"{file} is not TOML: {fault}") from fault


def plain(type_: type[T], raw: object, where: str, key: str = "") -> T:
    """One record, or the value of a key, without a look at its provenance."""
    try:
        return msgspec.convert(raw, type_)
    except msgspec.ValidationError as fault:
        raise DataFault(_locate(where, key, str(fault))) from fault


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


def demand_provenance(word: object, where: str, key: str) -> None:
    """Refuses a provenance that is not one of the known words."""
    known = isinstance(word, str) and PROVENANCE_WORDS.fullmatch(word) is not None
    demand(known, where, f"`{word}` is no provenance of the key `{key}`")


def digest_of(tables: Iterable[Mapping[str, Any]], is_remark: Callable[[str], bool]) -> str:
    """SHA-256 (hex) of what play depends on: the values in canonical JSON, without provenance and remarks."""
    played = [_without_remarks(table, is_remark) for table in tables]
    return hashlib.sha256(msgspec.json.encode(played, order="sorted")).hexdigest()


def _without_remarks(raw: object, is_remark: Callable[[str], bool]) -> Any:
    if isinstance(raw, Mapping):
        return {key: _without_remarks(value, is_remark) for key, value in raw.items() if not is_remark(key)}
    if isinstance(raw, list):
        return [_without_remarks(value, is_remark) for value in raw]
    return raw


def _locate(where: str, key: str, fault: str) -> str:
    """The library's `… - at `$.a.b`` as a sentence that names the key."""
    text, _, path = fault.partition(" - at `$")
    unknown = re.search(r"unknown field `(.*)`", text)
    missing = re.search(r"missing required field `(.*)`", text)
    inner = f"{key}{path.rstrip('`')}".removeprefix(".")
    for found, told in ((unknown, "an unknown key"), (missing, "the key is missing")):
        if found:
            text, inner = told, f"{inner}.{found.group(1)}" if inner else found.group(1)
    return f"{where}: key `{inner}`: {text}"
