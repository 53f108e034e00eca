"""Validation of paths, query parameters and bodies before a handler reads them."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Iterable, Mapping
from typing import Annotated, Any, Final

from litestar import Litestar, Request
from litestar.connection import ASGIConnection
from litestar.datastructures import FormMultiDict
from litestar.enums import HttpMethod, RequestEncodingType
from litestar.exceptions import ClientException, InternalServerException, NotFoundException, SerializationException
from litestar.exceptions.http_exceptions import RequestEntityTooLarge
from litestar.file_system import BaseLocalFileSystem
from litestar.handlers.base import BaseRouteHandler
from litestar.params import QueryParameter
from litestar.routes import HTTPRoute
from litestar.serialization import decode_json
from litestar.types.composite_types import PathType
from litestar.types.file_types import FileInfo

from api.http.app_state import AppKey
from api.http.form_bounds import parse_fields
from api.http.guards import API_PATH, Caller
from api.http.limits import FORM_BYTES_MAX, TEXT_BYTES_MAX

NUMBER_MAX: Final = 2**31
"""Maximum number in a path or query: above every length here, below the limits of the stores."""
PART_BYTES_MAX: Final = 255
"""Maximum bytes of a path segment, the limit of file systems; no name here is longer."""
PATH_BYTES_MAX: Final = 1024
NUL: Final = "\0"
"""Rejected in every text: PostgreSQL cannot store it and file systems do not accept it."""
FORM: Final = "form_fields"
"""Request state key of the form fields."""
PARSED: Final = "parsed_form"
"""Request state key of a parsed form that may still be rejected."""
DISCONNECTED: Final = "client disconnected prematurely"
"""The framework's message about a client that hung up; `tests/ops/test_connections.py` fails when it changes."""
ESCAPED_NUL: Final = rb"\u0000"

WholeNumber = Annotated[int, QueryParameter(ge=0, le=NUMBER_MAX)]
MaybeNumber = Annotated[int | None, QueryParameter(ge=0, le=NUMBER_MAX)]
Parameters = Mapping[BaseRouteHandler, frozenset[str]]
QUERY_PARAMETERS: Final = AppKey[Parameters]("query_parameters")
METHODS: Final = AppKey[Mapping[str, set[str]]]("methods")
"""The methods of every path template."""


def query_parameters(app: Litestar) -> Parameters:
    """Return the names of the query parameters of every API handler; parameters of its dependencies are included."""
    return {
        handler: frozenset(parameter.field_alias for parameter in model.expected_query_params)
        for route in app.routes
        if isinstance(route, HTTPRoute) and route.path.startswith(API_PATH)
        for method, (handler, model) in route.route_handler_map.items()
        if method != HttpMethod.OPTIONS
    }


async def requires_valid_input(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Raise 404 for an implausible path or number in it, and 400 for NUL characters in the query.

    For the API, also raise 400 for unknown or repeated query parameters.
    """
    path: str = connection.scope["path"]
    numbers = (number for number in connection.path_params.values() if isinstance(number, int))
    if not is_plausible(path) or not all(0 <= number <= NUMBER_MAX for number in numbers):
        raise NotFoundException("no such path")
    if not connection.scope["query_string"]:
        return
    counts = Counter(name for name, _ in connection.query_params.multi_items())
    for name, value in connection.query_params.multi_items():
        if NUL in name or NUL in str(value):
            raise ClientException(f"the query parameter {name!r} contains a NUL character")
    parameters_by_handler = QUERY_PARAMETERS.of(connection)
    parameters = parameters_by_handler.get(connection.route_handler)
    if parameters is None:
        return
    if unknown := sorted(counts.keys() - parameters):
        available = f"known: {', '.join(sorted(parameters))}" if parameters else "none are known"
        raise ClientException(f"unknown query parameters: {', '.join(unknown)}; {available}")
    if repeated := sorted(name for name, count in counts.items() if count > 1):
        raise ClientException(f"given more than once: {', '.join(repeated)}")


def is_plausible(path: str) -> bool:
    """Return whether the path is short enough and contains no NUL."""
    parts = path.encode(errors="replace").split(b"/")
    return NUL not in path and sum(map(len, parts)) <= PATH_BYTES_MAX and max(map(len, parts)) <= PART_BYTES_MAX


class ClientDisconnected(ClientException):
    """The client disconnected while sending its body, or was too slow."""


class ValidatedRequest(Request[Caller, Any, Any]):
    """A request. A body that is nested too deeply or is not text is a client error."""

    async def stream(self) -> AsyncGenerator[bytes, None]:
        """Yield the chunks of the body; raise `ClientDisconnected` if the client disconnects early.

        The framework would raise a server error.
        """
        try:
            async for chunk in super().stream():
                yield chunk
        except InternalServerException as fault:
            if fault.detail == DISCONNECTED:
                raise ClientDisconnected(detail="the connection closed before the end of the body") from None
            raise

    async def json(self) -> Any:
        """Return the decoded body.

        Raises 400 if it is nested too deeply, is not UTF-8, contains NUL, or is large and misfit.
        """
        try:
            await self._check_large_body()
            value = await super().json()
            has_nul = ESCAPED_NUL in await self.body() and contains_nul(value)
        except RecursionError as error:
            raise ClientException("the body is nested too deeply") from error
        except UnicodeDecodeError as error:
            raise ClientException(f"the body is not UTF-8: {error.reason}") from error
        if has_nul:
            raise ClientException("the body contains a NUL character")
        return value

    async def _check_large_body(self) -> None:
        """Raise 400 for a body above `TEXT_BYTES_MAX` that does not fit its type.

        The framework first builds objects for the whole body, which takes 100 ms for 1.5 MB of empty lists.
        """
        body, data = await self.body(), self.route_handler.parsed_fn_signature.parameters.get("data")
        if data is None or len(body) <= TEXT_BYTES_MAX:
            return
        try:
            decode_json(body, data.annotation, self.route_handler.resolve_type_decoders(), strict=False)
        except SerializationException as error:
            raise ClientException(f"invalid body: {error}") from error

    async def form(self) -> FormMultiDict:
        """Return the fields of the form, parsed once per request; raise 400 if it is unreadable or contains NUL.

        Raises 413 if it is too large. The framework's parser of URL-encoded forms does not limit the number of fields,
        and caches the last thousand bodies.
        """
        state = self.scope["state"]
        if FORM not in state:
            try:
                form = state[PARSED] = await self._parse_form()
            except ValueError as error:
                raise ClientException("invalid form data") from error
            for name, value in form.multi_items():
                if NUL in name:
                    raise ClientException("a field name contains a NUL character")
                if isinstance(value, str) and NUL in value:
                    line = value.count("\n", 0, value.index(NUL)) + 1
                    raise ClientException(
                        f"the field {name[:PART_BYTES_MAX]!r} contains a NUL character in line {line}"
                    )
            state[FORM] = form
        found: FormMultiDict = state[FORM]
        return found

    async def close_form(self) -> None:
        """Close the files of the form. The framework does so only for a request that its guards accept."""
        form: FormMultiDict | None = self.scope["state"].get(PARSED)
        if form is not None:
            await form.close()

    async def _parse_form(self) -> FormMultiDict:
        """Parse the form, a large one on a thread; raise 413 if it, or a text sent with a file, is too large."""
        if self.content_type[0] != RequestEncodingType.URL_ENCODED:
            form = await super().form()
            if any(isinstance(value, str) and len(value) > TEXT_BYTES_MAX for _, value in form.multi_items()):
                await form.close()
                raise RequestEntityTooLarge(f"a text field next to a file has at most {TEXT_BYTES_MAX:,} characters")
            return form
        body = await self.body()
        if len(body) > FORM_BYTES_MAX:
            raise RequestEntityTooLarge(f"a form without files has at most {FORM_BYTES_MAX:,} bytes")
        return await asyncio.to_thread(parse_fields, body) if len(body) > TEXT_BYTES_MAX else parse_fields(body)


def contains_nul(value: object) -> bool:
    """Return whether any text in the JSON value, keys included, contains NUL."""
    if isinstance(value, str):
        return NUL in value
    if isinstance(value, dict):
        return any(contains_nul(each) for item in value.items() for each in item)
    return isinstance(value, list) and any(map(contains_nul, value))


class SafeFileSystem(BaseLocalFileSystem):
    """Local files; an invalid file name counts as missing."""

    async def info(self, path: PathType, **kwargs: object) -> FileInfo:
        """Return file info; raise `FileNotFoundError` if the name is invalid or the file is missing."""
        try:
            return await super().info(path, **kwargs)
        except (OSError, ValueError) as error:
            raise FileNotFoundError(path) from error


def methods_by_path(app: Litestar) -> dict[str, set[str]]:
    """Return the methods of every path template.

    Where several routers share a path, the framework answers OPTIONS with the methods of the first.
    """
    found: dict[str, set[str]] = {}
    for route in app.routes:
        found.setdefault(route.path_format, set()).update(route.methods)
    return found


def allow_header(methods: Iterable[str]) -> str:
    """Return an `Allow` header, sorted, with HEAD wherever GET is allowed."""
    allowed = set(methods)
    return ", ".join(sorted(allowed | ({"HEAD"} if "GET" in allowed else set())))
