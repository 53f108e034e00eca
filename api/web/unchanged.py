"""What its reader holds already is not made again: a short word for all that an answer is made of, and 304 to whoever
says it (RFC 9110, 8.8.3 and 13.1.2).

The word is of what the answer is made from, not of its bytes: nothing has to be drawn to compare it.
"""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import msgspec
from litestar import Response
from litestar.connection import ASGIConnection

ROOT: Final = Path(__file__).parents[2]
MADE_WITH: Final = ("api", "domain")
KINDS: Final = frozenset({".py", ".html", ".po", ".toml", ".json"})


@cache
def edition() -> str:
    """What answers are made with: another build of the service makes others. All its processes say the same."""
    found = blake2b(digest_size=8)
    for path in sorted(path for part in MADE_WITH for path in (ROOT / part).rglob("*") if path.suffix in KINDS):
        found.update(path.read_bytes())
    return found.hexdigest()


def tag_of(*made_of: Any) -> str:
    """The entity tag of an answer that is made of these; what they hold cannot be read from it. Not for the event loop:
    the first one reads all files of the service."""
    content = msgspec.json.encode((edition(), *made_of), order="sorted")
    return f'"{blake2b(content, digest_size=12).hexdigest()}"'


def holds(connection: ASGIConnection[Any, Any, Any, Any], tag: str) -> bool:
    """Whether the reader says that it has this already."""
    held = [each.strip().removeprefix("W/") for each in connection.headers.get("if-none-match", "").split(",")]
    return tag in held


def unchanged(tag: str) -> Response[Any]:
    """The answer to whoever holds it."""
    return Response(None, status_code=304, headers={"ETag": tag})
