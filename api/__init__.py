"""The web service: API and pages."""

from typing import Final

VERSION: Final = "0.9.0"
"""Version of the project, shown by package, console and OpenAPI document."""
