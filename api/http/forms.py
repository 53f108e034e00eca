"""Parsing of HTML forms into the structs of the API, with validation.

A field has its API name, or its path if nested: `scoring.measure`, `stages.0.rounds`. A list is a repeated field or
numbered fields; a tagged struct has a `type` field. A list that people type is one field (`Form.words`, `Form.lines`);
the value of a button is JSON. Empty fields and list items count as missing. A checked box sends `true`.

At most `FAULTS_MAX` faults are reported, each with its field; unknown and repeated fields are faults, and values are
never clamped or skipped. A form with more fields than its struct allows is rejected before parsing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from typing import Any, Final, Generic, TypeVar

import msgspec
from litestar import Request
from litestar.datastructures import UploadFile
from litestar.exceptions import ValidationException
from msgspec import inspect

from api.http.form_bounds import check_count, fields_max
from api.http.form_faults import (
    CHOICE,
    FAULTS_MAX,
    NEEDED,
    REPEATED,
    UNKNOWN,
    UNREADABLE,
    Faults,
    FieldFault,
    Step,
    TooManyFaults,
    excerpt,
    fault_of,
    is_list,
    is_unfit,
    item_type,
    remove_value,
    steps_of,
    type_at,
    value_at,
)
from api.http.form_lists import NAMED_MAX, NOBODY, SEVERAL, IdsByName, key_of, names_of, words_of
from api.http.official_signatures import FIELD as ORDER_FIELD
from api.http.official_signatures import read_signature
from domain.kernel.messages import Message, say

F = TypeVar("F", bound=msgspec.Struct)
Node = list[Any] | dict[str, "Node"]
"""The values submitted under a name, or a mapping of nested names."""

TOKEN: Final = "_csrf_token"  # noqa: S105 - the name of a field
"""The CSRF field of every form, checked before parsing."""
DEPTH_MAX: Final = 6
LONG_NUMBER: Final = re.compile(r"[+-]?\d{19,}")
"""Numbers too long for JSON; msgspec would accept them in a string."""
DIGITS_MAX: Final = 9
YES: Final = frozenset({"true", "on", "1", "yes"})
NO: Final = frozenset({"false", "off", "0", "no"})
DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
END_OF_DAY: Final = "T23:59:59Z"
"""Suffix for a date field where the API expects a time: the last second of the day."""
MISSING: Final = re.compile(r"missing required field `(\w+)`")
SHAPES_CACHED_MAX: Final = 512
"""Size of the cache of struct types; titles of the deployment add to our forms."""


@lru_cache(SHAPES_CACHED_MAX)
def shape_of(kind: type[Any]) -> inspect.Type:
    """Return the type description of a struct, cached because titles have over a hundred action structs."""
    return inspect.type_info(kind)


@lru_cache(SHAPES_CACHED_MAX)
def cached_fields_max(kind: type[Any], typed: frozenset[str]) -> int:
    """Return `fields_max` of a struct, cached."""
    return fields_max(inspect.type_info(kind), typed)


class FormRejected(ValidationException):
    """Some fields of a form are invalid."""

    def __init__(self, faults: Iterable[FieldFault]) -> None:
        self.faults = tuple(faults)[:FAULTS_MAX]
        super().__init__("the form", extra=[{"key": each.path, "message": say(each.message)} for each in self.faults])


@dataclass(frozen=True)
class Form(Generic[F]):
    """A form: its name on the page and the struct that it is parsed into."""

    name: str
    kind: type[F]
    words: frozenset[str] = frozenset()
    """Lists typed into one field, separated by spaces or commas."""
    lines: frozenset[str] = frozenset()
    """Lists of such lists, one per line."""
    ids_by_name: IdsByName | None = None
    """Names that typed lists may use for their items; None if items are used unchanged."""
    verbatim: frozenset[str] = frozenset()
    """Fields whose leading and trailing spaces are kept."""
    files: frozenset[str] = frozenset()
    """Fields for files."""
    beside: Mapping[type[Exception], str] = field(default_factory=dict)
    """Domain errors that concern one field, with its name."""

    @property
    def shape(self) -> inspect.Type:
        """Type description of the struct."""
        return shape_of(self.kind)

    @property
    def fields_max(self) -> int:
        """Maximum number of fields of the form."""
        return cached_fields_max(self.kind, self.words | self.lines)


def sent_number(fields: Mapping[str, list[Any]], name: str) -> int | None:
    """Return the whole number in a submitted field; None if it is missing, invalid or too long."""
    text = str(next(iter(fields.get(name, ())), ""))
    return int(text) if text.isdecimal() and len(text) <= DIGITS_MAX else None


class EmptyForm(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A form without fields, only a button."""


BUTTON: Final = Form("button", EmptyForm)


async def sent_fields(request: Request[Any, Any, Any]) -> dict[str, list[Any]]:
    """Return the submitted values by field name, without the CSRF token and with line breaks as LF."""
    found: dict[str, list[Any]] = {}
    for name, value in (await request.form()).multi_items():
        if name != TOKEN:
            found.setdefault(name, []).append(value.replace("\r\n", "\n") if isinstance(value, str) else value)
    return found


async def read_form(request: Request[Any, Any, Any], form: Form[F]) -> F:
    """Parse the form; raise `FormRejected` with all faults. Stores an official's signature for the request."""
    fields = await sent_fields(request)
    request.state.sent = fields
    order = fields.pop(ORDER_FIELD, None) if ORDER_FIELD not in form.kind.__struct_fields__ else None
    for text in order or ():
        if text:
            read_signature(str(text), ORDER_FIELD)
    return read_fields(fields, form)


async def read_upload(request: Request[Any, Any, Any], name: str) -> UploadFile:
    """Return the file of a form with no other fields; raise `FormRejected` otherwise."""
    fields = await sent_fields(request)
    faults = [FieldFault(excerpt(unknown), Message(UNKNOWN)) for unknown in fields if unknown != name]
    values = fields.get(name, [])
    if len(values) > 1:
        faults.append(FieldFault(name, Message(REPEATED)))
    upload = values[0] if values else None
    if faults or not isinstance(upload, UploadFile):
        raise FormRejected(faults or [FieldFault(name, Message(NEEDED))])
    return upload


def read_fields(fields: Mapping[str, list[Any]], form: Form[F]) -> F:
    """Parse fields into the form's struct; raise `FormRejected` with all faults in field order."""
    check_count(sum(map(len, fields.values())), form.fields_max)
    parser, found = FormParser(form), None
    with suppress(TooManyFaults):
        found = parser.convert(parser.build(form.shape, parser.build_tree(fields), ()))
    if parser.faults.found or found is None:
        order = {name: index for index, name in enumerate(fields)}
        raise FormRejected(sorted(parser.faults.found.values(), key=lambda each: order.get(each.path, len(order))))
    return found


class FormParser(Generic[F]):
    """The state of parsing one form."""

    def __init__(self, form: Form[F]) -> None:
        self.form = form
        self.faults = Faults()
        self.numbers: dict[tuple[str, ...], list[str]] = {}
        """The given numbers of numbered fields, which may have gaps."""
        self.buttons: set[tuple[str, ...]] = set()
        """Fields that contain JSON; faults inside are reported for the field."""

    def add_fault(self, path: Sequence[str], message: Message) -> None:
        """Record a fault; raise `TooManyFaults` at the limit."""
        self.faults.add(".".join(path), message)

    def build_tree(self, fields: Mapping[str, list[Any]]) -> dict[str, Node]:
        """Convert dotted field names to nested mappings; names that conflict or are too deep are faults."""
        root: dict[str, Node] = {}
        for name, values in fields.items():
            *parents, last = name.split(".")
            node: Node = root
            for step in parents if len(parents) < DEPTH_MAX else ():
                node = node.setdefault(step, {}) if isinstance(node, dict) else node
            if len(parents) >= DEPTH_MAX or not isinstance(node, dict) or last in node:
                self.add_fault((excerpt(name),), Message(UNKNOWN))
            else:
                node[last] = values
        return root

    def build(self, kind: inspect.Type, node: Node, path: tuple[str, ...]) -> Any:
        """Return plain values in the structure of the type; None if nothing was submitted."""
        if isinstance(kind, inspect.Metadata):
            return self.build(kind.type, node, path)
        if isinstance(kind, inspect.UnionType):
            return self.build_union(kind, node, path)
        if isinstance(kind, inspect.StructType):
            return self.build_struct(kind, node, path)
        if isinstance(kind, inspect.DictType):
            return self.build_dict(kind, node, path)
        if isinstance(kind, inspect.VarTupleType | inspect.TupleType | inspect.ListType):
            return self.build_list(kind, node, path)
        return self.build_value(kind, node, path)

    def build_union(self, kind: inspect.UnionType, node: Node, path: tuple[str, ...]) -> Any:
        """Return the value for a union: a tagged struct (else a fault), JSON of a button, or a plain value."""
        structs = [each for each in kind.types if isinstance(each, inspect.StructType)]
        if not structs:
            allowed_types = [each for each in kind.types if not isinstance(each, inspect.NoneType | inspect.CustomType)]
            return self.build(next((each for each in allowed_types if is_list(each)), allowed_types[0]), node, path)
        if isinstance(node, list):
            return self.build_json(node, path)
        tag_field = str(structs[0].tag_field)
        tag = self.build_value(inspect.StrType(), node.get(tag_field, []), (*path, tag_field))
        struct = next((each for each in structs if each.tag == tag), None)
        if struct is None:
            self.add_fault((*path, tag_field), Message(CHOICE, {"value": excerpt(tag)}))
            return None
        return self.build_struct(struct, node, path)

    def build_json(self, values: list[Any], path: tuple[str, ...]) -> Any:
        """Return the decoded JSON of a button; None if empty, or with a fault if invalid."""
        text = self.build_value(inspect.StrType(), values, path)
        self.buttons.add(path)
        try:
            return None if text is None else msgspec.json.decode(text)
        except msgspec.DecodeError:
            self.add_fault(path, Message(UNREADABLE, {"value": excerpt(text)}))
            return None

    def build_struct(self, kind: inspect.StructType, node: Node, path: tuple[str, ...]) -> Any:
        """Return a mapping for a struct, without empty fields; unknown fields, or a plain value (None), are faults."""
        if isinstance(node, list):
            self.add_fault(path, Message(UNKNOWN))
            return None
        fields_by_name = {each.encode_name: each for each in kind.fields}
        built: dict[str, Any] = {} if kind.tag is None else {str(kind.tag_field): kind.tag}
        for name, child in node.items():
            if name in fields_by_name:
                value = self.build(fields_by_name[name].type, child, (*path, name))
                is_empty = value is None or (value == [] and fields_by_name[name].required)
                built |= {} if is_empty else {name: value}
            elif kind.tag is None or name != kind.tag_field:
                self.add_fault((*path, excerpt(first_field_name(name, child))), Message(UNKNOWN))
        return built

    def build_dict(self, kind: inspect.DictType, node: Node, path: tuple[str, ...]) -> Any:
        """Return a mapping for a dict, without empty values; values that are too long or no choice are faults."""
        if isinstance(node, list):
            self.add_fault(path, Message(UNKNOWN))
            return None
        built = {}
        for name, child in node.items():
            value = self.build(kind.value_type, child, (*path, excerpt(name)))
            if is_unfit(kind.value_type, value):
                # Recorded here, because the msgspec error does not name the key.
                self.add_fault((*path, excerpt(name)), fault_of(kind.value_type, value))
            elif value is not None:
                built[name] = value
        return built

    def build_list(self, kind: inspect.Type, node: Node, path: tuple[str, ...]) -> Any:
        """Return a list from one typed field, a repeated field or numbered fields; None if all of these are empty."""
        name = ".".join(step for step in path if not step.isdecimal())
        if isinstance(node, list):
            if name in self.form.words | self.form.lines:
                text = self.build_value(inspect.StrType(), node, path)
                if name in self.form.lines:
                    return [items for line in (text or "").splitlines() if (items := self.parse_typed_list(line, path))]
                return self.build_items(kind, self.parse_typed_list(text or "", path), path)
            return self.build_items(kind, node, path)
        numbers = sorted((step for step in node if step.isdecimal() and step == str(int(step[:9]))), key=int)
        for step in node.keys() - set(numbers):
            self.add_fault((*path, excerpt(first_field_name(step, node[step]))), Message(UNKNOWN))
        built, used_numbers = list[Any](), list[str]()
        for step in numbers:
            value = self.build(item_type(kind, len(built)), node[step], (*path, step))
            if value not in (None, {}):
                built.append(value)
                used_numbers.append(step)
        self.numbers[path] = used_numbers
        return built or None

    def parse_typed_list(self, text: str, path: tuple[str, ...]) -> list[str]:
        """Split a typed list, replacing names if the form has any; an ambiguous or unknown one is a fault."""
        ids_by_name, found = self.form.ids_by_name, list[str]()
        if ids_by_name is None:
            return words_of(text)
        for each in names_of(text, ids_by_name):
            ids = ids_by_name.get(key_of(each), ())
            if len(ids) != 1:
                details = {"value": excerpt(each.strip()), "choices": ", ".join(ids[:NAMED_MAX])}
                self.add_fault(path, Message(SEVERAL, details) if ids else Message(NOBODY, {"value": excerpt(each)}))
                return []
            found.append(ids[0])
        return found

    def build_items(self, kind: inspect.Type, values: Sequence[Any], path: tuple[str, ...]) -> list[Any]:
        """Return the non-empty items of a list of plain values."""
        built = (self.build_value(item_type(kind, 0), [value], path) for value in values)
        return [value for value in built if value is not None]

    def build_value(self, kind: inspect.Type, node: Node, path: tuple[str, ...]) -> Any:
        """Return a field's single value, stripped unless verbatim; a day becomes its end. None if empty or a fault."""
        if isinstance(node, dict):
            self.add_fault((*path, excerpt(first_field_name(*next(iter(node.items()))))), Message(UNKNOWN))
            return None
        if len(node) > 1:
            self.add_fault(path, Message(REPEATED))
            return None
        value = node[0] if node else ""
        if isinstance(value, UploadFile) and ".".join(path) not in self.form.files:
            self.add_fault(path, Message(UNREADABLE, {"value": excerpt(value.filename)}))
            return None
        if not isinstance(value, str):
            return value
        if ".".join(path) not in self.form.verbatim:
            value = value.strip()
        if isinstance(kind, inspect.IntType) and LONG_NUMBER.fullmatch(value):
            self.add_fault(path, fault_of(kind, value))
            return None
        if isinstance(kind, inspect.BoolType) and value.lower() in YES | NO:
            return value.lower() in YES
        if isinstance(kind, inspect.DateTimeType) and is_day(value):
            return value + END_OF_DAY
        return value or None

    def convert(self, built: object) -> F | None:
        """Return the struct or None. Each invalid value is recorded and removed, so a struct may have faults too."""
        for _ in range(FAULTS_MAX):
            try:
                return msgspec.convert(built, self.form.kind, strict=False)
            except msgspec.ValidationError as error:
                steps = steps_of(str(error))
                if missing := MISSING.search(str(error)):
                    self.add_missing_faults(built, steps, missing[1])
                else:
                    kind = type_at(self.form.shape, built, steps)
                    self.add_fault(self.path_of(steps), fault_of(kind, value_at(built, steps)))
                if not steps:
                    return None
                remove_value(built, steps)
        return None

    def add_missing_faults(self, built: object, steps: Sequence[Step], first: str) -> None:
        """Record a fault for each required field that is missing from the struct at the location."""
        kind, value = type_at(self.form.shape, built, steps), value_at(built, steps)
        assert isinstance(kind, inspect.StructType), "only a struct has required fields"
        names = {first, *(each.encode_name for each in kind.fields if each.required)}
        for name in (each.encode_name for each in kind.fields if each.encode_name in names):
            if name not in value:
                self.add_fault(self.path_of((*steps, name)), Message(NEEDED))

    def path_of(self, steps: Sequence[Step]) -> tuple[str, ...]:
        """Return the name of the field that a location in the struct originates from."""
        path: tuple[str, ...] = ()
        for step in steps:
            if path in self.buttons:
                return path
            if isinstance(step, str):
                path = (*path, step)
            elif path in self.numbers:
                path = (*path, self.numbers[path][step])
        return path


def first_field_name(name: str, node: Node) -> str:
    """Return the full name of the first field below a name."""
    while isinstance(node, dict):
        step, node = next(iter(node.items()))
        name = f"{name}.{step}"
    return name


def is_day(text: str) -> bool:
    """Return whether the text is an existing date YYYY-MM-DD, as a date field sends it."""
    try:
        return DAY.fullmatch(text) is not None and bool(date.fromisoformat(text))
    except ValueError:
        return False
