"""Parameters of paginated lists in the API and on pages."""

from __future__ import annotations

from typing import Annotated

from litestar.params import QueryParameter

from projections.platform.paging import KEY_MAX, LIMIT, LIMIT_MAX

Limit = Annotated[int, QueryParameter(ge=1, le=LIMIT_MAX, description=f"maximum number of items (default: {LIMIT})")]
Before = Annotated[int | None, QueryParameter(ge=0, le=KEY_MAX, description="the `next` of the previous page")]
