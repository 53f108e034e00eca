"""Limits on the number of form fields, checked before parsing because each field takes time."""

from __future__ import annotations

from collections.abc import Container
from typing import Final
from urllib.parse import parse_qsl

from litestar.datastructures import FormMultiDict
from litestar.exceptions.http_exceptions import RequestEntityTooLarge
from msgspec import inspect

from api.http.form_faults import FAULTS_MAX

FIELDS_MAX: Final = 1_200
"""Maximum number of fields of any form: a round has up to 1,000 tables with a checkbox each."""
ITEMS_MAX: Final = 100
"""Maximum number of items of a list or mapping whose type has no limit."""
PARTS_MAX: Final = 32
"""Maximum number of parts of a `multipart` form; only short forms with a file use that encoding."""
NESTED_MAX: Final = 6
"""Maximum nesting of a field name."""


def fields_max(kind: inspect.Type, typed: Container[str] = (), path: tuple[str, ...] = ()) -> int:
    """Return the maximum number of fields of a form of this type, at most `FIELDS_MAX`.

    `typed` names the lists that people type into one field.
    """
    if isinstance(kind, inspect.Metadata):
        return fields_max(kind.type, typed, path)
    if len(path) > NESTED_MAX or ".".join(path) in typed:
        return 1
    if isinstance(kind, inspect.UnionType):
        return max(fields_max(each, typed, path) for each in kind.types)
    if isinstance(kind, inspect.StructType):
        field_count = sum(fields_max(each.type, typed, (*path, each.encode_name)) for each in kind.fields)
        return min(FIELDS_MAX, field_count + (kind.tag is not None))
    if isinstance(kind, inspect.TupleType):
        return min(FIELDS_MAX, sum(fields_max(each, typed, path) for each in kind.item_types))
    if isinstance(kind, inspect.DictType):
        return items_max(kind.max_length, kind.value_type, typed, path)
    if isinstance(kind, inspect.VarTupleType | inspect.ListType):
        return items_max(kind.max_length, kind.item_type, typed, path)
    return 1


def items_max(count: int | None, kind: inspect.Type, typed: Container[str], path: tuple[str, ...]) -> int:
    """Return the maximum number of fields of a list of up to `count` items; `ITEMS_MAX` items if None."""
    return min(FIELDS_MAX, (ITEMS_MAX if count is None else count) * fields_max(kind, typed, path))


def check_count(count: int, count_max: int) -> None:
    """Raise 413 if a form has more fields than its type allows plus the number of reported faults."""
    if count > count_max + FAULTS_MAX:
        raise RequestEntityTooLarge(f"the form has {count} fields; at most {count_max} are read")


def parse_fields(body: bytes) -> FormMultiDict:
    """Parse a URL-encoded form; raise 413 before decoding if it has too many fields."""
    try:
        fields = parse_qsl(body.decode("latin-1"), keep_blank_values=True, max_num_fields=FIELDS_MAX + FAULTS_MAX)
    except ValueError as error:
        raise RequestEntityTooLarge(f"the form has more than {FIELDS_MAX} fields") from error
    return FormMultiDict(fields)
