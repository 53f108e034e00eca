"""`esporles run tree`: extends the transparency tree, requests cosignatures and verifies the store daily.

Of several such processes one is active; another takes over when it stops or is disconnected.
"""

import threading
from contextlib import ExitStack, closing
from typing import Final

from api.accounts.people import People
from api.transparency.beginnings import begin_tree
from api.transparency.metrics import collect_tree
from api.transparency.service import TransparencyService, open_transparency
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.kernel.title import Titles
from domain.kernel.values import replace
from domain.matches.entropy import system_entropy
from ops.console import Finding
from projections.leaves import TreeLeaves
from projections.platform.messages import Appended
from projections.platform.pubsub import PubSubClient
from projections.platform.settings import Settings
from projections.platform.store import ReadStore
from projections.platform.telemetry.exposition import serve_metrics
from projections.platform.telemetry.metrics import ProcessMetrics
from workers.health import Health
from workers.stopping import StopFlag, stop_on_signals

LOOK_SECONDS: Final = 0.5
"""Interval in seconds at which the readiness is updated."""


def run_tree(settings: Settings, titles: Titles, health: Health) -> None:
    """Extend the tree until SIGTERM or SIGINT and report its health.

    Raises `Finding` if it differs from the signed one.
    """
    stopping, figures = StopFlag(), ProcessMetrics("tree")
    stop_on_signals(stopping)
    with ExitStack() as stack:
        tree_service = open_tree_service(stack, replace(settings, keeps_tree=True), titles)
        if tree_service.fault is not None:
            raise Finding(f"cannot continue the tree: {tree_service.fault}")
        figures.register_at_scrape(lambda: collect_tree(tree_service))
        stack.enter_context(serve_metrics(settings.metrics, figures))
        while True:
            if tree_service.is_healthy:
                health.succeed()
            else:
                health.fail()
            if stopping.wait(LOOK_SECONDS):
                return


def open_tree_service(stack: ExitStack, settings: Settings, titles: Titles) -> TransparencyService:
    """Open the tree as a web process does, without pages; `stack` closes all.

    Notifications of web processes wake it.
    """
    people = stack.enter_context(closing(People(settings.people_place)))
    leaves = stack.enter_context(closing(TreeLeaves(settings.tree_place)))
    env = store_env(settings.log_place, settings.log_partitions)
    log = stack.enter_context(closing(open_store(env, titles=titles, guard=leaves)))
    begin_tree(settings, log)
    read_store = stack.enter_context(closing(ReadStore(settings.reads_url)))
    wake = threading.Event()
    stack.enter_context(closing(PubSubClient(settings.redis, (Appended,), lambda _: wake.set())))
    tree_service = open_transparency(settings, log, leaves, people, read_store, system_entropy, wake)
    stack.callback(tree_service.close)
    return tree_service
