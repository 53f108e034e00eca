"""Conditional requests: an entity tag computed from the inputs of a response, and 304 (RFC 9110, 8.8.3 and 13.1.2).

The tag covers inputs, not bytes, so comparing it renders nothing.
"""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
from litestar import Response
from litestar.connection import ASGIConnection
from litestar.datastructures import ResponseHeader
from litestar.enums import MediaType
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import HeaderParameter

ROOT: Final = Path(__file__).parents[2]
SOURCE_FOLDERS: Final = ("api", "domain")
SOURCE_SUFFIXES: Final = frozenset({".py", ".html", ".po", ".toml", ".json", ".css", ".js", ".svg"})
ETAG: Final = (
    ResponseHeader(
        name="ETag",
        documentation_only=True,
        description="identifies the content; differs between readers",
    ),
)
"""The ETag header and the 304 response in the OpenAPI document."""
NOT_MODIFIED_SPEC: Final = {304: ResponseSpec(None, description="Not modified", generate_examples=False)}
IfNoneMatch = Annotated[
    str | None,
    HeaderParameter(name="If-None-Match", description="ETags of cached responses; 304 if one still matches"),
]


@cache
def build_digest() -> str:
    """Return the digest of the sources of this build, the same in all processes."""
    return digest_sources(ROOT)


def digest_sources(root: Path) -> str:
    """Return the digest of all source files below a root: code, templates, catalogues, data and style sheets."""
    digest = blake2b(digest_size=8)
    for path in sorted(
        path for part in SOURCE_FOLDERS for path in (root / part).rglob("*") if path.suffix in SOURCE_SUFFIXES
    ):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def tag_of(*inputs: object) -> str:
    """Return the entity tag of a response from its inputs, which it does not reveal.

    Not for the event loop: the first call reads all files of the service.
    """
    content = msgspec.json.encode((build_digest(), *inputs), order="sorted")
    return f'"{blake2b(content, digest_size=12).hexdigest()}"'


def has_tag(connection: ASGIConnection[Any, Any, Any, Any], tag: str) -> bool:
    """Return whether the If-None-Match header contains the tag."""
    return contains_tag(tag, connection.headers.get("if-none-match"))


def contains_tag(tag: str, header: str | None) -> bool:
    """Return whether a header value contains the tag."""
    return header is not None and tag in [each.strip().removeprefix("W/") for each in header.split(",")]


def not_modified(tag: str) -> Response[Any]:
    """Return a 304 response."""
    return Response(None, status_code=304, headers={"ETag": tag})


def json_or_not_modified(tag: str, content: bytes | None) -> Response[Any]:
    """Return JSON with its tag, or 304 if the content is None."""
    return not_modified(tag) if content is None else Response(content, media_type=MediaType.JSON, headers={"ETag": tag})
