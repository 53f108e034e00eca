"""The files every page is drawn with: style sheets and scripts, and how long they may be kept."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any, Final

from litestar import Router
from litestar.config.compression import CompressionConfig
from litestar.datastructures import CacheControlHeader
from litestar.middleware import DefineMiddleware
from litestar.middleware.compression import CompressionMiddleware
from litestar.static_files import create_static_files_router

from api.http.inputs import Files

SHARED: Final = Path(__file__).parent / "static"
TITLES: Final = Path(__file__).parent.parent / "titles"
VERIFIER: Final = Path(__file__).parent.parent / "transparency" / "static"
STATIC: Final[list[Path | PathLike[Any] | str]] = [SHARED, VERIFIER, *sorted(TITLES.glob("*/static"))]
"""What all pages share, the second verifier, and what belongs to a title."""
BRIEFLY: Final = CacheControlHeader(max_age=60)
FOR_EVER: Final = CacheControlHeader(max_age=31_536_000, immutable=True, public=True)
"""For files that have their version in their name."""

COMPRESSED: Final = DefineMiddleware(CompressionMiddleware, config=CompressionConfig("gzip", gzip_compress_level=6))
"""For files alone: a page holds its reader's token, and what is compressed beside it could give it away."""


def files() -> tuple[Router, Router]:
    """Style sheets and scripts; those of others have their version in their name."""
    static = create_static_files_router(
        "/static", directories=STATIC, file_system=Files(), cache_control=BRIEFLY, middleware=[COMPRESSED]
    )
    vendor = create_static_files_router(
        "/static/vendor",
        directories=[SHARED / "vendor"],
        file_system=Files(),
        name="vendor",
        cache_control=FOR_EVER,
        middleware=[COMPRESSED],
    )
    return static, vendor
