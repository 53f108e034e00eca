"""What a browser says that it is, in a few words."""

from __future__ import annotations

from typing import Final

BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
"""The first word that is found counts: most browsers say that they are others too."""
SYSTEMS: Final = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def describe_agent(agent: str) -> str:
    """`Firefox · Linux`; as it was sent where nothing of it is known."""
    known = [next((name for word, name in table if word in agent), "") for table in (BROWSERS, SYSTEMS)]
    return " · ".join(name for name in known if name) or agent
