"""Every figure that a process of the service has, by the classes that make them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

from litestar.testing import TestClient
from prometheus_client.metrics_core import Metric
from prometheus_client.parser import text_string_to_metric_families
from redis import Redis

from api.web.metrics import METRICS
from domain.eventstore.opening import open_store
from domain.eventstore.recorders import store_env
from projections.catalogue import PROJECTIONS
from projections.loop import Loop
from projections.platform.store import ReadStore
from workers.matches.duties import Duties
from workers.metrics import FollowerFigures, WorkerFigures
from workers.organising import OrganisingDuties
from workers.queues import Queues

LE: Final = "le"
OURS: Final = "esporles_"


def follower_figures(folder: Path, redis_url: str) -> str:
    """The exposition of a follower that has nothing to do."""
    figures, redis = FollowerFigures(), Redis.from_url(redis_url)
    store = ReadStore(folder / "reads.db")
    log = open_store(store_env(folder / "log.db"))
    duties, events = Duties(store, Queues(redis)), OrganisingDuties(store, Queues(redis))
    figures.open(Loop(log, store, (*PROJECTIONS.values(), duties, events)), log, store, redis)
    text = figures.render().decode()
    log.close()
    store.close()
    redis.close()
    return text


def families(client: TestClient[Any], folder: Path, redis_url: str) -> dict[str, Metric]:
    """All families of the service's own, of all kinds of processes, by name."""
    texts = (
        METRICS.of(client).render().decode(),
        follower_figures(folder, redis_url),
        WorkerFigures().render().decode(),
    )
    return {
        family.name: family
        for text in texts
        for family in text_string_to_metric_families(text)
        if family.name.startswith(OURS)
    }


def series_of(family: Metric) -> set[str]:
    """The names under which a family is asked for."""
    name = family.name
    if family.type == "counter":
        return {f"{name}_total"}
    if family.type == "histogram":
        return {f"{name}_bucket", f"{name}_count", f"{name}_sum"}
    if family.type == "summary":
        return {f"{name}_count", f"{name}_sum"}
    return {name}


def names_in(text: str) -> set[str]:
    """Every name of a figure of ours in a text."""
    return set(re.findall(r"\besporles_[a-z_]+", text))
