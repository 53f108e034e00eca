"""Collect every message from templates, Python sources and component tables."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import msgspec
from jinja2 import Environment, nodes

from api.http.languages import AREAS
from ops.dev.catalogues.components import printed_texts

ROOT: Final = Path(__file__).parents[3]
ROOMS: Final = ("domain", "projections", "api")
SINGLE: Final = frozenset({"_", "N_"})
COUNTED: Final = frozenset({"ngettext", "plural"})


class Sentence(msgspec.Struct, frozen=True):
    """A message id, its plural if it has one, and its area."""

    id: str
    plural: str | None
    area: str


LIBRARIES: Final = frozenset({"standings", "pairing", "designs"})
"""Libraries shared by tournaments and leagues; their messages belong to the catalogue of tournaments."""


def area_of(path: Path) -> str:
    """Return the catalogue of a source: tournaments for shared libraries, its subject or title, else the common one."""
    parts = path.with_suffix("").parts
    if LIBRARIES.intersection(parts):
        return "tournaments"
    return next((part for part in parts if part in AREAS), AREAS[0])


@cache
def sentences() -> tuple[Sentence, ...]:
    """Return every message once, in the order Python, templates, components, with the first of its areas.

    Raises `AssertionError` if a message has two plurals. The result is cached.
    """
    sentences_by_id: dict[str, Sentence] = {}
    for sentence in (*_of_python(), *_of_templates(), *printed_sentences()):
        previous = sentences_by_id.get(sentence.id, sentence)
        assert previous.plural in {None, sentence.plural} or sentence.plural is None, f"two plurals: {sentence.id}"
        area = min(previous.area, sentence.area, key=AREAS.index)
        sentences_by_id[sentence.id] = Sentence(sentence.id, previous.plural or sentence.plural, area)
    return tuple(sentences_by_id.values())


def printed_sentences() -> Iterator[Sentence]:
    """Yield the printed texts as messages."""
    for area, text in printed_texts():
        yield Sentence(text, None, area)


def _of_python() -> Iterator[Sentence]:
    """Yield the messages of all Python sources below `ROOMS`, file by file."""
    for folder in ROOMS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield from in_python(path.read_text(), area_of(path.relative_to(ROOT)))


def in_python(source: str, area: str) -> Iterator[Sentence]:
    """Yield the messages of a Python source: literals in calls of `_`, `N_`, `ngettext`, `plural` and `Message`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            yield from _of_call(node, area)


def _of_call(call: ast.Call, area: str) -> Iterator[Sentence]:
    """Yield the messages of a call; none if it marks no message or its text is no literal."""
    name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
    if name in SINGLE and call.args:
        yield from (Sentence(text, None, area) for text in _texts(call.args[0]))
    elif name in COUNTED and len(call.args) > 1:
        singular_texts, plural_texts = list(_texts(call.args[0])), list(_texts(call.args[1]))
        yield from (Sentence(text, plural, area) for text, plural in zip(singular_texts, plural_texts, strict=True))
    elif name == "Message" and call.args:
        plurals = [text for keyword in call.keywords if keyword.arg == "plural" for text in _texts(keyword.value)]
        plural = plurals[0] if plurals else None
        yield from (Sentence(text, plural, area) for text in _texts(call.args[0]))


def _texts(node: ast.expr) -> Iterator[str]:
    """Yield a literal, or both branches of a conditional between literals."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _texts(node.body)
        yield from _texts(node.orelse)


def _of_templates() -> Iterator[Sentence]:
    for path in sorted((ROOT / "api").rglob("templates/**/*.html")):
        yield from in_template(path.read_text(), area_of(path.relative_to(ROOT)))


def in_template(source: str, area: str) -> Iterator[Sentence]:
    """Yield the messages of a template: literals in calls of `_`, `N_`, `ngettext` and `plural`."""
    environment = Environment()  # noqa: S701 - templates are only read here, nothing is rendered
    for call in environment.parse(source).find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name in SINGLE | COUNTED:
            yield from _of_template_call(call, call.node.name in COUNTED, area)


def _of_template_call(call: nodes.Call, is_counted: bool, area: str) -> Iterator[Sentence]:
    """Yield the messages of a call, with plurals if it is counted."""
    if not is_counted:
        yield from (Sentence(text, None, area) for text in _constants(call.args[0]))
        return
    singular_texts, plural_texts = list(_constants(call.args[0])), list(_constants(call.args[1]))
    yield from (Sentence(text, plural, area) for text, plural in zip(singular_texts, plural_texts, strict=True))


def _constants(node: nodes.Expr) -> Iterator[str]:
    """Yield a string, or the strings in both branches of a conditional."""
    if isinstance(node, nodes.Const) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, nodes.CondExpr):
        yield from _constants(node.expr1)
        if node.expr2 is not None:
            yield from _constants(node.expr2)
