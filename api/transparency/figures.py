"""Figures of the tree for monitoring."""

from __future__ import annotations

from collections.abc import Iterable

from prometheus_client.metrics_core import GaugeMetricFamily, Metric

from api.transparency.service import TransparencyService


def tree(transparency: TransparencyService) -> Iterable[Metric]:
    """How large the tree is and how much of it is signed; where it is not served, that alone."""
    yield GaugeMetricFamily(
        "esporles_refused_streams",
        "Matches and records found not to be what the house signed, and not served",
        value=transparency.refused,
    )
    standing = transparency.standing()
    yield GaugeMetricFamily("esporles_tree_served", "1 while the tree is served", value=standing is not None)
    if standing is None:
        return
    yield GaugeMetricFamily("esporles_tree_leaves", "Leaves of the tree", value=standing.leaves)
    yield GaugeMetricFamily("esporles_tree_signed_leaves", "Leaves under the newest checkpoint", value=standing.signed)
    yield GaugeMetricFamily(
        "esporles_tree_signed_timestamp_seconds", "When the newest checkpoint was signed", value=standing.at / 1e6
    )
