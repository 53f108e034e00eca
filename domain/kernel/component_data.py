"""Strict reading of component tables (TOML); errors name file, record and key."""

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
    """A component file is invalid; the message names file, record and key."""


def read_table(package: str, file: str) -> dict[str, Any]:
    """Return a component file shipped in a package, parsed but unchecked."""
    return parse_table((resources.files(package) / file).read_text(encoding="utf-8"), file)


def parse_table(text: str, file: str) -> dict[str, Any]:
    """Return the parsed text of a component file; raise `DataFault` with line and column if it is not TOML."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise DataFault(f"{file} is not TOML: {fault}") from fault


def convert_value(type_: type[T], raw: object, where: str, key: str = "") -> T:
    """Return a record or value converted to a type; raise `DataFault` if it does not fit. Provenance is not checked."""
    try:
        return msgspec.convert(raw, type_)
    except msgspec.ValidationError as fault:
        raise DataFault(_locate(where, key, str(fault))) from fault


def require_unique(values: Iterable[object], where: str) -> None:
    """Raise `DataFault`, which names the place `where`, for a duplicate value."""
    seen = set[object]()
    for value in values:
        if value in seen:
            raise DataFault(f"{where}: {value!r} appears twice")
        seen.add(value)


def demand(condition: bool, where: str, sentence: str) -> None:
    """Raise `DataFault` with the sentence unless the condition holds."""
    if not condition:
        raise DataFault(f"{where}: {sentence}")


def demand_provenance(word: object, where: str, key: str) -> None:
    """Raise `DataFault` for an unknown provenance word."""
    is_known = isinstance(word, str) and PROVENANCE_WORDS.fullmatch(word) is not None
    expected = "expected seed, recalled, reconstructed or found:SOURCE"
    demand(is_known, where, f"unknown provenance `{word}` for the key `{key}`; {expected}")


def digest_of(tables: Iterable[Mapping[str, Any]], is_remark: Callable[[str], bool]) -> str:
    """Return the SHA-256 (hex) of the values in canonical JSON, without provenance and remarks."""
    stripped = [_without_remarks(table, is_remark) for table in tables]
    return hashlib.sha256(msgspec.json.encode(stripped, order="sorted")).hexdigest()


def _without_remarks(raw: object, is_remark: Callable[[str], bool]) -> Any:
    """Return a copy without the keys that `is_remark` accepts, at every level of tables and lists."""
    if isinstance(raw, Mapping):
        return {key: _without_remarks(value, is_remark) for key, value in raw.items() if not is_remark(key)}
    if isinstance(raw, list):
        return [_without_remarks(value, is_remark) for value in raw]
    return raw


def _locate(where: str, key: str, fault: str) -> str:
    """Return msgspec's error message rewritten to name the place `where` and the key instead of a path."""
    text, _, path = fault.partition(" - at `$")
    unknown = re.search(r"unknown field `(.*)`", text)
    missing = re.search(r"missing required field `(.*)`", text)
    inner = f"{key}{path.rstrip('`')}".removeprefix(".")
    for found, sentence in ((unknown, "unknown key"), (missing, "missing key")):
        if found:
            text, inner = sentence, f"{inner}.{found.group(1)}" if inner else found.group(1)
    return f"{where}: key `{inner}`: {text}"
