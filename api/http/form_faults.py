"""Messages about invalid form values, derived from the expected type."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

import msgspec
from msgspec import inspect

from domain.kernel.messages import N_, Message, plural
from domain.kernel.texts import ONE_LINE

Step = str | int
"""A step from a struct to a field, or from a list to an item."""

FAULTS_MAX: Final = 20
"""Maximum number of reported faults; parsing stops there."""
QUOTED_MAX: Final = 60
"""Maximum length of a quoted value, which may be megabytes long."""
PLACE: Final = re.compile(r" - at `\$(.*)`$")
STEP: Final = re.compile(r"\.([\w-]+)|\[(\d+)\]")

NEEDED: Final = N_("Fill in this field.")
UNKNOWN: Final = N_("This form has no such field.")
REPEATED: Final = N_("This field was sent more than once.")
CHOICE: Final = N_("“{value}” is not an option. Choose one from the list.")
UNREADABLE: Final = N_("“{value}” is not a valid value.")
NO_DAY: Final = N_("Enter a date, not “{value}”.")
WHOLE: Final = N_("Enter a whole number, not “{value}”.")
WHOLE_FROM: Final = N_("Enter a whole number of at least {least}, not “{value}”.")
WHOLE_BETWEEN: Final = N_("Enter a whole number from {least} to {most}, not “{value}”.")
NO_LINE: Final = N_("Enter a single line without control characters.")
TOGETHER: Final = N_("Enter {most} values, not {count}.")
LONG_ONE, LONG_MANY = plural(
    "Use at most {most} character, not {count}.", "Use at most {most} characters, not {count}."
)
SHORT_ONE, SHORT_MANY = plural("Use at least {least} character.", "Use at least {least} characters.")
MANY_ONE, MANY_MANY = plural("Enter at most {most} item, not {count}.", "Enter at most {most} items, not {count}.")


class FieldFault(msgspec.Struct, frozen=True):
    """A field name and the message about its value."""

    path: str
    message: Message


class TooManyFaults(Exception):
    """A form has `FAULTS_MAX` faults, so parsing stops."""


class Faults:
    """The faults of one form by field name."""

    def __init__(self) -> None:
        self.found: dict[str, FieldFault] = {}
        self._above: set[str] = set()
        """Names of the parents of faulty fields."""

    def add(self, name: str, message: Message) -> None:
        """Record a fault, unless the field, a parent or a child of the field already has one.

        Raises `TooManyFaults` once there are `FAULTS_MAX`.
        """
        steps = name.split(".")
        above = [".".join(steps[:count]) for count in range(1, len(steps))]
        if name in self.found or name in self._above or any(each in self.found for each in above):
            return
        self.found[name] = FieldFault(name, message)
        self._above.update(above)
        if len(self.found) == FAULTS_MAX:
            raise TooManyFaults


def excerpt(value: object) -> str:
    """Return the text of a value, with "…" in place of everything after `QUOTED_MAX` characters."""
    text = str(value)
    return text if len(text) <= QUOTED_MAX else f"{text[:QUOTED_MAX]}…"


def fault_of(kind: inspect.Type | None, value: object) -> Message:
    """Return the message that explains why a value does not fit the type."""
    if isinstance(kind, inspect.UnionType):
        kind = next((each for each in kind.types if not isinstance(each, inspect.NoneType | inspect.CustomType)), None)
    if isinstance(kind, inspect.IntType):
        return whole_number_fault(kind, value)
    if isinstance(kind, inspect.StrType) and isinstance(value, str):
        return length_fault(kind, value)
    if isinstance(kind, inspect.LiteralType | inspect.EnumType | inspect.BoolType):
        return Message(CHOICE, {"value": excerpt(value)})
    if isinstance(kind, inspect.DateTimeType):
        return Message(NO_DAY, {"value": excerpt(value)})
    if isinstance(kind, inspect.TupleType) and isinstance(value, list):
        return Message(TOGETHER, {"most": len(kind.item_types), "count": len(value)})
    length_max = getattr(kind, "max_length", None)
    if isinstance(value, list) and length_max is not None:
        return Message(MANY_ONE, {"most": length_max, "count": len(value)}, plural=MANY_MANY, count=length_max)
    return Message(UNREADABLE, {"value": excerpt(value)})


def whole_number_fault(kind: inspect.IntType, value: object) -> Message:
    """Return the message for an invalid whole number, with its bounds."""
    quoted = excerpt(value)
    if kind.ge is None:
        return Message(WHOLE, {"value": quoted})
    if kind.le is None:
        return Message(WHOLE_FROM, {"least": kind.ge, "value": quoted})
    return Message(WHOLE_BETWEEN, {"least": kind.ge, "most": kind.le, "value": quoted})


def is_unfit(kind: inspect.Type, value: object) -> bool:
    """Return whether the value is too long or none of the choices; false for None."""
    if isinstance(kind, inspect.LiteralType):
        return value is not None and value not in kind.values
    length_max = kind.max_length if isinstance(kind, inspect.StrType) else None
    return length_max is not None and isinstance(value, str) and len(value) > length_max


def length_fault(kind: inspect.StrType, value: str) -> Message:
    """Return the message for an invalid text: too long, too short, or with line breaks."""
    count = len(value)
    if kind.max_length is not None and count > kind.max_length:
        return Message(LONG_ONE, {"most": kind.max_length, "count": count}, plural=LONG_MANY, count=kind.max_length)
    if kind.min_length is not None and count < kind.min_length:
        return Message(SHORT_ONE, {"least": kind.min_length}, plural=SHORT_MANY, count=kind.min_length)
    if kind.pattern == ONE_LINE:
        return Message(NO_LINE)
    return Message(UNREADABLE, {"value": excerpt(value)})


def steps_of(error: str) -> tuple[Step, ...]:
    """Return the location that a msgspec error message names: field names and list indices."""
    location = PLACE.search(error)
    found = STEP.findall(location[1]) if location else []
    return tuple(name or int(index) for name, index in found)


def is_list(kind: inspect.Type) -> bool:
    """Return whether the type is a list or tuple."""
    return isinstance(kind, inspect.VarTupleType | inspect.TupleType | inspect.ListType)


def item_type(kind: inspect.Type, index: int) -> inspect.Type:
    """Return the type of the list item at `index`; beyond the end of a fixed tuple, the type of its last item."""
    if isinstance(kind, inspect.TupleType):
        return kind.item_types[min(index, len(kind.item_types) - 1)]
    assert isinstance(kind, inspect.VarTupleType | inspect.ListType), "only lists have items"
    return kind.item_type


def resolve_union(kind: inspect.Type, value: object) -> inspect.Type:
    """Return the member type of a union: the struct with the value's tag, or the first type that is not None.

    Other types are returned unchanged, without their metadata.
    """
    if isinstance(kind, inspect.Metadata):
        return resolve_union(kind.type, value)
    if not isinstance(kind, inspect.UnionType):
        return kind
    for each in kind.types:
        if isinstance(each, inspect.StructType) and isinstance(value, dict) and value.get(each.tag_field) == each.tag:
            return each
    return next((each for each in kind.types if not isinstance(each, inspect.NoneType | inspect.CustomType)), kind)


def type_at(kind: inspect.Type, value: object, steps: Sequence[Step]) -> inspect.Type | None:
    """Return the type at a location in a value; None if the type has no such location."""
    kind = resolve_union(kind, value)
    if not steps:
        return kind
    step, *remaining_steps = steps
    child = value_at(value, (step,))
    if isinstance(kind, inspect.StructType):
        found = next((each.type for each in kind.fields if each.encode_name == step), None)
    elif isinstance(kind, inspect.DictType):
        found = kind.value_type
    else:
        found = item_type(kind, int(step)) if is_list(kind) and isinstance(step, int) else None
    return None if found is None else type_at(found, child, remaining_steps)


def value_at(value: Any, steps: Sequence[Step]) -> Any:
    """Return the value at a location (field names and list indices); None if missing."""
    for step in steps:
        has_location = (
            isinstance(value, dict) if isinstance(step, str) else isinstance(value, list) and step < len(value)
        )
        value = value[step] if has_location and (isinstance(step, int) or step in value) else None
    return value


def remove_value(value: object, steps: Sequence[Step]) -> None:
    """Remove the value at a location. For a list item remove the whole list, because indices would shift."""
    while isinstance(steps[-1], int) and len(steps) > 1:
        steps = steps[:-1]
    container = value_at(value, steps[:-1])
    assert isinstance(container, dict), "a form is a struct, and every list of it stands in one"
    container.pop(steps[-1], None)
