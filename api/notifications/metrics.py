"""Metrics of waiting notifications."""

from __future__ import annotations

from collections.abc import Iterable
from time import time

from prometheus_client.metrics_core import GaugeMetricFamily, Metric

from api.notifications.service import NotificationService


def collect_outbox(notifications: NotificationService) -> Iterable[Metric]:
    """Collect number and age of waiting messages, and whether sending is suspended, for each configured channel."""
    waiting = GaugeMetricFamily("esporles_outbox_waiting", "Messages that are due but not sent", labels=["way"])
    oldest = GaugeMetricFamily(
        "esporles_outbox_oldest_seconds", "Age of the oldest message that is due but not sent", labels=["way"]
    )
    resting = GaugeMetricFamily(
        "esporles_outbox_resting",
        "1 while sending is suspended because the mail or push server is unavailable",
        labels=["way"],
    )
    now = time()
    for each in notifications.channel_states():
        waiting.add_metric([each.way], each.waiting)
        oldest.add_metric([each.way], max(0.0, now - each.oldest / 1e6) if each.waiting else 0.0)
        resting.add_metric([each.way], float(each.rests_until / 1e6 > now))
    return waiting, oldest, resting
