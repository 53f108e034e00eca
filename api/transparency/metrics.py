"""Metrics of the transparency tree."""

from __future__ import annotations

from collections.abc import Iterable

from prometheus_client.metrics_core import GaugeMetricFamily, Metric

from api.transparency.service import TransparencyService


def collect_tree(transparency: TransparencyService) -> Iterable[Metric]:
    """Collect the number of refused streams and whether the tree is served.

    If it is, also its size, its signed size and the time of the latest signature.
    """
    yield GaugeMetricFamily(
        "esporles_refused_streams",
        "Matches and records that differ from the signed tree and are not served",
        value=transparency.refused_stream_count,
    )
    yield GaugeMetricFamily(
        "esporles_log_key_encrypted",
        "1 if the key of the transparency log is stored encrypted",
        value=transparency.is_key_encrypted,
    )
    standing = transparency.read_tree_state()
    yield GaugeMetricFamily(
        "esporles_tree_served", "1 while the transparency tree is served", value=standing is not None
    )
    if standing is None:
        return
    yield GaugeMetricFamily("esporles_tree_leaves", "Leaves of the transparency tree", value=standing.leaves)
    yield GaugeMetricFamily(
        "esporles_tree_signed_leaves", "Leaves covered by the latest checkpoint", value=standing.signed
    )
    yield GaugeMetricFamily(
        "esporles_tree_contradicted_leaves",
        "Leaves of a tree that a witness shows, signed with the key of this service; 0 without a contradiction",
        value=standing.claimed,
    )
    if standing.freshness.confirmed is not None:
        yield GaugeMetricFamily(
            "esporles_tree_confirmed_timestamp_seconds",
            "Time of the latest cosignature or, without witnesses, of the latest checkpoint",
            value=standing.freshness.confirmed / 1e6,
        )
    yield GaugeMetricFamily(
        "esporles_tree_stale",
        "1 if the latest checkpoint was last confirmed more than 24 hours ago",
        value=standing.freshness.is_stale,
    )
    yield GaugeMetricFamily(
        "esporles_tree_signed_timestamp_seconds", "Time when the latest checkpoint was signed", value=standing.at / 1e6
    )
