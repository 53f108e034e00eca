"""Exceptions of the transparency log."""

from __future__ import annotations

from typing import Final

from api.http.refusal_tables import Refusals


class TreeDiffers(Exception):
    """The tree or the log contradicts the signed checkpoint, so the tree is neither continued nor served."""


class TreeMissing(TreeDiffers):
    """There is no tree, although entries exist."""


class TreeContinued(Exception):
    """Another process continues the tree now."""


class NothingSigned(Exception):
    """No checkpoint has been signed yet."""


class NotCovered(Exception):
    """The latest checkpoint does not cover this entry yet."""


class NoSuchTile(Exception):
    """The tree has no such tile, or not of this width."""


REFUSALS: Final[Refusals] = {
    NoSuchTile: (404, "tile/unknown"),
    NothingSigned: (404, "checkpoint/unknown"),
    NotCovered: (503, "checkpoint/behind"),
    TreeDiffers: (503, "tree/differs"),
}
"""The HTTP status and error code of each exception."""
