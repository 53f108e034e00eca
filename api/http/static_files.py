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

from api.http.inputs import SafeFileSystem

SHARED: Final = Path(__file__).parent / "static"
TITLES: Final = Path(__file__).parent.parent / "titles"
VERIFIER: Final = Path(__file__).parent.parent / "transparency" / "static"
STATIC: Final[list[Path | PathLike[Any] | str]] = [SHARED, VERIFIER, *sorted(TITLES.glob("*/static"))]
"""Directories shared by all pages, of the browser's log verifier, and of the titles."""
CACHE_SHORT: Final = CacheControlHeader(max_age=60)
CACHE_IMMUTABLE: Final = CacheControlHeader(max_age=31_536_000, immutable=True, public=True)
"""For files whose name contains their version."""

COMPRESSION: Final = DefineMiddleware(CompressionMiddleware, config=CompressionConfig("gzip", gzip_compress_level=6))
"""Only static files are compressed: compressing a page could leak its CSRF token (BREACH)."""


def static_routers() -> tuple[Router, Router]:
    """Return the routers for our static files, cached briefly, and for third-party files, cached for good.

    The latter have versions in their names.
    """
    static = create_static_files_router(
        "/static", directories=STATIC, file_system=SafeFileSystem(), cache_control=CACHE_SHORT, middleware=[COMPRESSION]
    )
    vendor = create_static_files_router(
        "/static/vendor",
        directories=[SHARED / "vendor"],
        file_system=SafeFileSystem(),
        name="vendor",
        cache_control=CACHE_IMMUTABLE,
        middleware=[COMPRESSION],
    )
    return static, vendor
