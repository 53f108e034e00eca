"""The types of requests: the body of every operation, and every form of the pages."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
from msgspec import inspect

import api
from api.http.forms import Form

Visit = Callable[[inspect.StructType, str, inspect.Type, str], None]
"""Takes a struct, the name of its field, a type that the field holds, and the description of that type."""


def forms() -> Iterator[Form[Any]]:
    """Return every form that a module of the pages names."""
    found: dict[int, Form[Any]] = {}
    for module in pkgutil.walk_packages(api.__path__, "api."):
        values = vars(importlib.import_module(module.name)).values()
        found |= {id(value): value for value in values if isinstance(value, Form)}
    yield from found.values()


def visit(kind: Any, do: Visit) -> None:
    """Call `do` with every type below a struct, actions of titles left out."""
    walk(inspect.type_info(kind), None, "", do, ())


def walk(
    kind: inspect.Type,
    holder: inspect.StructType | None,
    name: str,
    do: Visit,
    above: tuple[type[msgspec.Struct], ...],
) -> None:
    description = ""
    while isinstance(kind, inspect.Metadata):
        description = (kind.extra_json_schema or {}).get("description", description)
        kind = kind.type
    if holder is not None:
        do(holder, name, kind, description)
    for inner in inner_types(kind):
        walk(inner, holder, name, do, above)
    if isinstance(kind, inspect.StructType) and kind.cls not in above and ".titles." not in kind.cls.__module__:
        for each in kind.fields:
            walk(each.type, kind, each.encode_name, do, (*above, kind.cls))


def inner_types(kind: inspect.Type) -> tuple[inspect.Type, ...]:
    """Return the types of alternatives, items, keys and values."""
    if isinstance(kind, inspect.UnionType):
        return tuple(kind.types)
    if isinstance(kind, inspect.TupleType):
        return tuple(kind.item_types)
    if isinstance(kind, inspect.DictType):
        return kind.key_type, kind.value_type
    if isinstance(kind, inspect.VarTupleType | inspect.ListType | inspect.SetType | inspect.FrozenSetType):
        return (kind.item_type,)
    return ()
