"""The web service: what people and programs ask of the matches."""

from typing import Final

VERSION: Final = "0.9.0"
"""Of the whole project: package, console and the document of the API say it."""
