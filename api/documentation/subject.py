"""Declare the subject documentation to the web process."""

from __future__ import annotations

from typing import Final

from api.documentation import pages
from api.documentation.errors import REFUSALS
from api.http.subjects import Subject

SUBJECT: Final = Subject("documentation", refusals=REFUSALS, pages=pages.HANDLERS)
