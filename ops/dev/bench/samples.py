"""Requests with long lists, made from the types that operations read."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final
from uuid import UUID

from litestar import Litestar
from litestar.enums import HttpMethod
from litestar.routes import HTTPRoute
from msgspec import inspect

from api.http.form_faults import is_list

MOMENT: Final = "2031-05-01T10:00:00Z"
SCALARS: Final[Mapping[type[inspect.Type], Any]] = {
    inspect.BoolType: True,
    inspect.DateTimeType: MOMENT,
    inspect.UUIDType: str(UUID(int=7)),
    inspect.NoneType: None,
    inspect.AnyType: 1,
}


def sample(kind: inspect.Type) -> Any:
    """Return a valid value of a type as plain JSON, with required fields and the fewest items only."""
    if isinstance(kind, inspect.Metadata):
        return sample(kind.type)
    if isinstance(kind, inspect.UnionType):
        return sample(kind.types[0])
    if isinstance(kind, inspect.IntType):
        return kind.ge if kind.ge is not None else 1
    if isinstance(kind, inspect.StrType):
        return "a" * 64 if kind.pattern and "64" in kind.pattern else "a" * (kind.min_length or 1)
    if isinstance(kind, inspect.LiteralType):
        return kind.values[0]
    if isinstance(kind, inspect.EnumType):
        return next(iter(kind.cls)).value
    if isinstance(kind, inspect.TupleType):
        return [sample(each) for each in kind.item_types]
    if isinstance(kind, inspect.StructType):
        tag = {} if kind.tag is None else {kind.tag_field: kind.tag}
        return tag | {each.encode_name: sample(each.type) for each in kind.fields if each.required}
    if isinstance(kind, inspect.DictType):
        return {}
    if isinstance(kind, inspect.VarTupleType | inspect.ListType):
        return [sample(kind.item_type)] * (kind.min_length or 0)
    return SCALARS.get(type(kind), "a")


Make = Callable[[int], Any]
"""A function that returns a value with the given number of items in one of its lists."""


def with_field(value: Mapping[str, Any], name: str, make_list: Make, count: int) -> dict[str, Any]:
    """Return a copy of `value` in which the field `name` has `count` items."""
    return {**value, name: make_list(count)}


def as_item(make_list: Make, count: int) -> list[Any]:
    """Return a list of one value that has `count` items."""
    return [make_list(count)]


def with_lists(kind: inspect.Type, path: tuple[str, ...] = ()) -> Iterator[tuple[str, int | None, Make]]:
    """Yield every list and mapping of a type: its path, its bound or None, and a function to make it with items.

    Fields of titles' types, and fields nested four deep, are left out.
    """
    if isinstance(kind, inspect.Metadata):
        yield from with_lists(kind.type, path)
    elif isinstance(kind, inspect.UnionType):
        for each in kind.types:
            yield from with_lists(each, path)
    elif isinstance(kind, inspect.StructType) and ".titles." not in kind.cls.__module__ and len(path) < 4:
        sample_value = sample(kind)
        for field in kind.fields:
            name = field.encode_name
            for label, count_max, make_list in with_lists(field.type, (*path, name)):
                yield label, count_max, partial(with_field, sample_value, name, make_list)
    elif isinstance(kind, inspect.DictType):
        value = sample(kind.value_type)
        yield ".".join(path), kind.max_length, lambda count: {f"k{number}": value for number in range(count)}
    elif is_list(kind) and not isinstance(kind, inspect.TupleType):
        item: inspect.Type = kind.item_type  # type: ignore[attr-defined]  # a list of any length
        item_sample = sample(item)
        yield ".".join(path), kind.max_length, lambda count: [item_sample] * count  # type: ignore[attr-defined]  # as above
        for label, count_max, make_list in with_lists(item, (*path, "*")):
            yield label, count_max, partial(as_item, make_list)


def body_limits(app: Litestar) -> dict[tuple[str, str], int]:
    """Return the body limit of every operation that has one, by (method, path)."""
    return {
        (method, route.path_format): limit
        for route in app.routes
        if isinstance(route, HTTPRoute)
        for method, (handler, _) in route.route_handler_map.items()
        if isinstance(limit := handler.resolve_request_max_body_size(), int)
    }


def bodies(app: Litestar) -> Iterator[tuple[str, str, type[Any]]]:
    """Yield (method, path, type) of every JSON body, without `OPTIONS`."""
    for route in app.routes:
        if isinstance(route, HTTPRoute):
            for method, (handler, _) in route.route_handler_map.items():
                data = handler.parsed_fn_signature.parameters.get("data")
                if method != HttpMethod.OPTIONS and data is not None:
                    yield method, route.path_format, data.annotation
