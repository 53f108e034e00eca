"""Short descriptions of user agents."""

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
"""Pairs of user agent token and browser; the first match counts, because most browsers also name others."""
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
    """Return a description such as `Firefox · Linux`, or the user agent itself if unknown."""
    names = [next((name for fragment, name in table if fragment in agent), "") for table in (BROWSERS, SYSTEMS)]
    return " · ".join(name for name in names if name) or agent
