"""What the transparency log refuses."""

from __future__ import annotations

from typing import Final

from api.http.refusal_tables import Refusals


class TreeDiffers(Exception):
    """The tree or the log is not what it was when the house signed it: it is neither signed nor served."""


class TreeContinued(Exception):
    """Another process continues the tree, and this one no longer does."""


class NothingSigned(Exception):
    """There is no checkpoint yet."""


class NotCovered(Exception):
    """An entry that the newest checkpoint does not cover yet."""


class NoSuchTile(Exception):
    """The tree has no such tile, or not as wide."""


REFUSALS: Final[Refusals] = {
    NoSuchTile: (404, "tile/unknown"),
    NothingSigned: (404, "checkpoint/unknown"),
    NotCovered: (503, "checkpoint/behind"),
    TreeDiffers: (503, "tree/differs"),
}
"""The status and the code on the wire for each refusal."""
