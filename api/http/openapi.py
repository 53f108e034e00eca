"""Corrections of the OpenAPI document that the framework generates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from litestar import Litestar, Request
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import OpenAPIMediaType, OpenAPIResponse, Operation, RequestBody, Schema
from litestar.routes import HTTPRoute

from api.http.access import Access, access_of, document_access
from api.http.errors import PROBLEM_TYPE, TITLES
from api.http.guards import ANONYMOUS_PATHS, TLOG_PATH, scopes_of
from api.http.identity import Scope

CHANGING_METHODS: Final = frozenset({"post", "put", "patch", "delete"})
CSV: Final = "text/csv"
JSON: Final = "application/json"


def with_file(*, takes: tuple[str, ...] = (), gives: tuple[str, ...] = ()) -> type[Operation]:
    """Return an OpenAPI operation that accepts or returns bytes of these media types."""

    @dataclass
    class WithFile(Operation):
        def __post_init__(self) -> None:
            if takes:
                self.request_body = RequestBody(content=media_types(takes), required=True)
            if gives:
                response = (self.responses or {})["200"]
                assert isinstance(response, OpenAPIResponse)
                response.content = media_types(gives)

    return WithFile


def media_types(kinds: tuple[str, ...]) -> dict[str, OpenAPIMediaType]:
    """Return a media type object for each kind, without a schema."""
    return {kind: OpenAPIMediaType(schema=Schema()) for kind in kinds}


class CorrectedOpenAPIPlugin(JsonRenderPlugin):
    """Renders the corrected OpenAPI document, with the same bytes after every start."""

    _document: bytes = b""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        """Return the corrected document as JSON; it is rendered once."""
        if not self._document:
            self._document = self.render_json(
                request, correct_document(openapi_schema, access_by_operation(request.app))
            )
        return self._document


def access_by_operation(app: Litestar) -> dict[str, tuple[Access, tuple[Scope, ...]]]:
    """Return the access and the scopes of every operation, by method and path as in the document."""
    return {
        f"{method} {route.path_format}": (access_of(handler), scopes_of(method, handler))
        for route in app.routes
        if isinstance(route, HTTPRoute)
        for method, (handler, _) in route.route_handler_map.items()
        if handler.resolve_include_in_schema()
    }


def correct_document(
    document: dict[str, Any], access: Mapping[str, tuple[Access, tuple[Scope, ...]]]
) -> dict[str, Any]:
    """Correct four faults of the generated document; `access` has a key `METHOD path` for every operation.

    A struct takes the default of one of its fields, and the choice of field differs between starts. The `...` of a
    bounded `tuple[int, ...]` becomes a second schema that matches everything, so no value matches exactly one. Errors
    that all routes share are missing, and so is the access of each operation.
    """
    document = remove_ellipsis_items(document)
    for schema in document["components"]["schemas"].values():
        schema.pop("default", None)
    for path, item in document["paths"].items():
        for method, operation in item.items():
            for status in common_error_statuses(path, method, operation):
                operation["responses"].setdefault(status, problem_response(int(status)))
            document_access(operation, *access[f"{method.upper()} {path}"])
    return document


def remove_ellipsis_items(part: object) -> Any:
    """Return a copy of a document without the empty second item schema of bounded tuples."""
    if isinstance(part, list):
        return [remove_ellipsis_items(each) for each in part]
    if not isinstance(part, dict):
        return part
    cleaned = {key: remove_ellipsis_items(each) for key, each in part.items()}
    match cleaned.get("items"):
        case {"oneOf": [schema, {**nothing}]} if not nothing:
            cleaned["items"] = schema
    return cleaned


def common_error_statuses(path: str, method: str, operation: dict[str, Any]) -> list[str]:
    """Return the status codes of guards and framework that the operation may answer with."""
    statuses = ["400"]
    if path not in ANONYMOUS_PATHS and not path.startswith(TLOG_PATH):
        statuses.append("401")
    if "{" in path:
        statuses.append("404")
    if "requestBody" in operation:
        statuses.append("413")
    if method in CHANGING_METHODS:
        statuses.append("429")
    return statuses


def problem_response(status: int) -> dict[str, Any]:
    """Return the documented response of an error."""
    schema = {"$ref": "#/components/schemas/Problem"}
    return {"description": TITLES[status], "content": {PROBLEM_TYPE: {"schema": schema}}}
