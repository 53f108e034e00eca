"""What the document of the API says of files, and what is put right in the document as the framework makes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from litestar import Litestar, Request
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import OpenAPIMediaType, OpenAPIResponse, Operation, RequestBody, Schema
from litestar.routes import HTTPRoute

from api.http.errors import PROBLEM_TYPE, TITLES
from api.http.guards import KNOWS_NOBODY, TLOG_PATH, scopes_of
from api.http.identity import Scope
from api.http.who_may import Access, access_of, document_access

CHANGING: Final = frozenset({"post", "put", "patch", "delete"})
CSV: Final = "text/csv"
JSON: Final = "application/json"


def with_file(*, takes: tuple[str, ...] = (), gives: tuple[str, ...] = ()) -> type[Operation]:
    """The documented operation of a handler that takes or gives bytes of these media types."""

    @dataclass
    class WithFile(Operation):
        def __post_init__(self) -> None:
            if takes:
                self.request_body = RequestBody(content=contents(takes), required=True)
            if gives:
                answer = (self.responses or {})["200"]
                assert isinstance(answer, OpenAPIResponse)
                answer.content = contents(gives)

    return WithFile


def contents(kinds: tuple[str, ...]) -> dict[str, OpenAPIMediaType]:
    """Any bytes of these kinds: what is wrong with them the refusal says."""
    return {kind: OpenAPIMediaType(schema=Schema()) for kind in kinds}


class TrueDocument(JsonRenderPlugin):
    """The document of the API, put right once and the same bytes at every start."""

    _rendered: bytes = b""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        if not self._rendered:
            self._rendered = self.render_json(request, put_right(openapi_schema, access_by_name(request.app)))
        return self._rendered


def access_by_name(app: Litestar) -> dict[str, tuple[Access, tuple[Scope, ...]]]:
    """Return the access and the scopes of every operation, by method and path as in the document."""
    return {
        f"{method} {route.path_format}": (access_of(handler), scopes_of(method, handler))
        for route in app.routes
        if isinstance(route, HTTPRoute)
        for method, (handler, _) in route.route_handler_map.items()
        if handler.resolve_include_in_schema()
    }


def put_right(document: dict[str, Any], access: Mapping[str, tuple[Access, tuple[Scope, ...]]]) -> dict[str, Any]:
    """Four things the framework gets wrong or leaves out.

    A struct takes on the default of the first field that holds one, and which field is first differs from start to
    start. The `...` of a bounded `tuple[int, ...]` becomes a second schema that everything fits, so that nothing fits
    exactly one. What the whole service refuses by itself is said of no operation, and neither is who may use it.
    """
    document = without_ellipses(document)
    for schema in document["components"]["schemas"].values():
        schema.pop("default", None)
    for path, item in document["paths"].items():
        for method, operation in item.items():
            for status in refused_everywhere(path, method, operation):
                operation["responses"].setdefault(status, problem_response(int(status)))
            document_access(operation, *access[f"{method.upper()} {path}"])
    return document


def without_ellipses(part: object) -> Any:
    if isinstance(part, list):
        return [without_ellipses(each) for each in part]
    if not isinstance(part, dict):
        return part
    whole = {key: without_ellipses(each) for key, each in part.items()}
    match whole.get("items"):
        case {"oneOf": [schema, {**nothing}]} if not nothing:
            whole["items"] = schema
    return whole


def refused_everywhere(path: str, method: str, operation: dict[str, Any]) -> list[str]:
    """What an operation may answer whatever its handler does: the guards and the framework stand before it."""
    refused = ["400"]
    if path not in KNOWS_NOBODY and not path.startswith(TLOG_PATH):
        refused.append("401")
    if "{" in path:
        refused.append("404")
    if "requestBody" in operation:
        refused.append("413")
    if method in CHANGING:
        refused.append("429")
    return refused


def problem_response(status: int) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/Problem"}
    return {"description": TITLES[status], "content": {PROBLEM_TYPE: {"schema": schema}}}
