"""Static files of the pages: style sheets and scripts, with their cache lifetimes."""

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
"""Directories shared by all pages, of the browser's log verifier, and of the titles."""
BRIEFLY: Final = CacheControlHeader(max_age=60)
FOR_EVER: Final = CacheControlHeader(max_age=31_536_000, immutable=True, public=True)
"""For files whose name contains their version."""

COMPRESSED: Final = DefineMiddleware(CompressionMiddleware, config=CompressionConfig("gzip", gzip_compress_level=6))
"""Only static files are compressed: compressing a page could leak its CSRF token (BREACH)."""


def files() -> tuple[Router, Router]:
    """Return the routers for our static files and for third-party files, which have versions in their names."""
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
