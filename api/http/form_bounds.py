"""Bounds on the number of fields of a form. A larger form is refused before it is read: each field takes time."""

from __future__ import annotations

from collections.abc import Container
from typing import Final
from urllib.parse import parse_qsl

from litestar.datastructures import FormMultiDict
from litestar.exceptions.http_exceptions import RequestEntityTooLarge
from msgspec import inspect

from api.http.form_faults import FAULTS_MAX

FIELDS_MAX: Final = 1_200
"""The most fields of any form: a round has up to 1,000 tables, each with a box that can be ticked."""
ITEMS_MAX: Final = 100
"""The most items a form sends of a list or mapping whose type has no bound."""
PARTS_MAX: Final = 32
"""The most parts of a `multipart` form. Only forms that send a file are written like that, and they are short."""
NESTED_MAX: Final = 6
"""The deepest level that a field's name can reach."""


def fields_max(kind: inspect.Type, typed: Container[str] = (), path: tuple[str, ...] = ()) -> int:
    """Return the most fields a form of this type can have, at most `FIELDS_MAX`.

    `typed` names the lists that people type into one field.
    """
    if isinstance(kind, inspect.Metadata):
        return fields_max(kind.type, typed, path)
    if len(path) > NESTED_MAX or ".".join(path) in typed:
        return 1
    if isinstance(kind, inspect.UnionType):
        return max(fields_max(each, typed, path) for each in kind.types)
    if isinstance(kind, inspect.StructType):
        below = sum(fields_max(each.type, typed, (*path, each.encode_name)) for each in kind.fields)
        return min(FIELDS_MAX, below + (kind.tag is not None))
    if isinstance(kind, inspect.TupleType):
        return min(FIELDS_MAX, sum(fields_max(each, typed, path) for each in kind.item_types))
    if isinstance(kind, inspect.DictType):
        return items_max(kind.max_length, kind.value_type, typed, path)
    if isinstance(kind, inspect.VarTupleType | inspect.ListType):
        return items_max(kind.max_length, kind.item_type, typed, path)
    return 1


def items_max(count: int | None, kind: inspect.Type, typed: Container[str], path: tuple[str, ...]) -> int:
    """Return the most fields of a list with `count` items at most; a list without a bound has `ITEMS_MAX`."""
    return min(FIELDS_MAX, (ITEMS_MAX if count is None else count) * fields_max(kind, typed, path))


def check_count(count: int, most: int) -> None:
    """Reject a form with more fields than it can have and than faults are named."""
    if count > most + FAULTS_MAX:
        raise RequestEntityTooLarge(f"the form has {count} fields; at most {most} are read")


def parse_fields(body: bytes) -> FormMultiDict:
    """Parse a URL-encoded form; the library refuses one with too many fields before it decodes any."""
    try:
        sent = parse_qsl(body.decode("latin-1"), keep_blank_values=True, max_num_fields=FIELDS_MAX + FAULTS_MAX)
    except ValueError as refused:
        raise RequestEntityTooLarge(f"the form has more than {FIELDS_MAX} fields") from refused
    return FormMultiDict(sent)
