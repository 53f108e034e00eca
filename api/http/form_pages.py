"""Forms in templates: values, attributes and error messages of their fields."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, TypeVar

import msgspec
from litestar import Response
from markupsafe import Markup
from msgspec import inspect

from api.http.confirmation import Unconfirmed
from api.http.errors import Problem, problem_of, refusal_table
from api.http.form_faults import resolve_union
from api.http.forms import Form, FormRejected, read_form, sent_fields
from api.http.languages import say
from api.http.page_responses import PageRequest, is_htmx
from api.http.refusals import translate_problem
from domain.matches.errors import OrderUnsigned

F = TypeVar("F", bound=msgspec.Struct)

ELSEWHERE: Final = frozenset({401, 403, 429})
"""For these statuses the form is not shown again, because the reader may not use it."""


class RejectedForm(msgspec.Struct):
    """A rejected form: submitted fields and error; `is_told` once the page has shown the error."""

    form: str
    sent: Mapping[str, list[Any]]
    problem: Problem
    faults: Mapping[str, str]
    """Messages by field name, in the reader's language."""
    is_shown: bool = False

    def show_problem(self) -> Problem:
        """Return the problem and mark it as shown."""
        self.is_shown = True
        return self.problem


def form_exceptions() -> tuple[type[Exception], ...]:
    """Return the exceptions after which a page shows its form again."""
    return (FormRejected, *refusal_table())


def rejected_form(form: Form[Any], fields: Mapping[str, list[Any]], refusal: Exception) -> RejectedForm:
    """Return the rejected form with its submitted values and translated messages by field.

    An error that concerns one field is shown there, any other above the form.
    """
    problem = problem_of(refusal)
    if isinstance(refusal, FormRejected):
        return RejectedForm(form.name, fields, problem, {each.path: say(each.message) for each in refusal.faults})
    field = form.beside.get(type(refusal))
    return RejectedForm(form.name, fields, problem, {field: translate_problem(problem)} if field else {})


async def handle_form(
    request: PageRequest,
    form: Form[F],
    do: Callable[[F], Awaitable[Response[Any]]],
    page: Callable[[], Awaitable[Response[Any]]],
) -> Response[Any]:
    """Run `do` with the parsed form; if it is rejected, return the page with the submitted values.

    The page has the status of the error, or 200 for `Unconfirmed`. The error is raised instead for htmx requests, for
    `OrderUnsigned`, for a status in `ELSEWHERE` that no field shows, and if the page no longer contains the form.
    """
    try:
        return await do(await read_form(request, form))
    except OrderUnsigned:
        raise
    except form_exceptions() as refusal:
        if is_htmx(request) or (problem_of(refusal).status in ELSEWHERE and type(refusal) not in form.beside):
            raise
        rejected = request.state.refused = rejected_form(form, await sent_fields(request), refusal)
        try:
            response = await page()
        except form_exceptions() as page_refusal:
            raise refusal from page_refusal
        if not rejected.is_shown:
            # The page no longer contains the form, so the error needs a page.
            raise
        # A request for confirmation is not a failure.
        response.status_code = 200 if isinstance(refusal, Unconfirmed) else problem_of(refusal).status
        return response


class TemplateForm:
    """A form for templates."""

    def __init__(self, form: Form[Any], rejected: RejectedForm | None = None) -> None:
        self.form = form
        self.refused = rejected

    def about(self, **fields: object) -> TemplateForm:
        """Return this form if it was submitted with these fields, otherwise an empty one; for repeated forms."""
        submitted = {name: [str(value)] for name, value in fields.items()}
        is_submitted = self.refused is not None and all(
            self.refused.sent.get(name) == value for name, value in submitted.items()
        )
        return self if is_submitted else TemplateForm(self.form)

    def having(self, name: str) -> TemplateForm:
        """Return this form if the field was submitted, otherwise an empty one."""
        return self if self.refused is not None and name in self.refused.sent else TemplateForm(self.form)

    def lacking(self, name: str) -> TemplateForm:
        """Return this form if the field was not submitted, otherwise an empty one."""
        return self if self.refused is not None and name not in self.refused.sent else TemplateForm(self.form)

    @property
    def sent_values(self) -> Mapping[str, list[Any]]:
        """The submitted values by field name; empty if the form was not rejected."""
        return {} if self.refused is None else self.refused.sent

    def value(self, name: str, own: object = "") -> object:
        """Return the first submitted value of a field ("" if missing), or `own` if the form was not rejected."""
        if self.refused is None:
            return own
        return next(iter(self.sent_values.get(name, ())), "")

    def nth(self, name: str, index: int, own: object = "") -> object:
        """Return the submitted value at `index` of a repeated field ("" if missing), or `own` if not rejected."""
        if self.refused is None:
            return own
        return next(iter(self.sent_values.get(name, ())[index : index + 1]), "")

    def has(self, name: str, value: object = "true", own: object = False) -> bool:
        """Return whether a checkbox or choice is selected: as submitted, or `own` if the form was not rejected."""
        if self.refused is None:
            return bool(own)
        return str(value) in self.sent_values.get(name, ())

    def below(self, name: str, own: Mapping[str, str]) -> Mapping[str, str]:
        """Return the submitted values by the rest of their names after `name.`, or `own` if not rejected."""
        found = {
            name_of_field.removeprefix(f"{name}."): str(each[0])
            for name_of_field, each in self.sent_values.items()
            if name_of_field.startswith(f"{name}.")
        }
        return own if self.refused is None else found

    def fault(self, name: str) -> str:
        """Return the message about a field; empty if it is valid."""
        return "" if self.refused is None else self.refused.faults.get(name, "")

    @property
    def problem(self) -> Problem | None:
        """The error of the rejected form, if any."""
        return None if self.refused is None else self.refused.problem

    @property
    def faults(self) -> Mapping[str, str]:
        """Messages by field name."""
        return {} if self.refused is None else self.refused.faults

    def fault_id(self, name: str) -> str:
        """Return the element id of the message about a field."""
        return f"{self.form.name}-{name.replace('.', '-')}-fault"

    def limits(self, name: str) -> Markup:
        """Return the HTML attributes of a field: the bounds of its type, and a link to its error message."""
        kind = self._type(name)
        if isinstance(kind, inspect.StrType):
            bounds = {"maxlength": kind.max_length}
        elif isinstance(kind, inspect.IntType):
            bounds = {"min": kind.ge, "max": kind.le}
        else:
            bounds = {}
        attributes = "".join(f' {attribute}="{bound}"' for attribute, bound in bounds.items() if bound is not None)
        return Markup(attributes) + self.marks(name)  # noqa: S704 - numbers of ours

    def marks(self, name: str) -> Markup:
        """Return the HTML attributes that mark a field with an error, the first with `autofocus`; else nothing."""
        if not self.fault(name):
            return Markup()
        focused = " autofocus" if next(iter(self.faults)) == name else ""
        return Markup(f' aria-invalid="true" aria-describedby="{self.fault_id(name)}"{focused}')  # noqa: S704 - a name of ours

    def _type(self, name: str) -> inspect.Type | None:
        """Return the type of a dotted field, with unions resolved; None if the last step does not exist."""
        kind: inspect.Type | None = self.form.shape
        for step in name.split("."):
            assert kind is not None, f"the form {self.form.name} has no field {name}"
            kind = type_below(resolve_union(kind, None), step)
        return None if kind is None else resolve_union(kind, None)


def type_below(kind: inspect.Type, step: str) -> inspect.Type | None:
    """Return the type of a struct's field, a dict's values or a list's items; None if there is none."""
    if isinstance(kind, inspect.StructType):
        return next((each.type for each in kind.fields if each.encode_name == step), None)
    if isinstance(kind, inspect.DictType):
        return kind.value_type
    return kind.item_type if isinstance(kind, inspect.VarTupleType) else None


def forms_of(request: PageRequest, *forms: Form[Any]) -> dict[str, TemplateForm]:
    """Return the forms of a page by name; the rejected one keeps its submitted values."""
    rejected: RejectedForm | None = request.state.get("refused")
    return {
        form.name: TemplateForm(form, rejected if rejected and rejected.form == form.name else None) for form in forms
    }
