"""The background processes: `python -m workers.main follower` and `python -m workers.main worker`."""

from __future__ import annotations

import gc
import os
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import structlog
from redis.exceptions import RedisError
from rq.exceptions import StopRequested
from rq.job import Job
from rq.serializers import JSONSerializer

from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.kernel.component_data import DataFault
from domain.kernel.decoding import prepare_types
from domain.kernel.loading import load
from domain.kernel.title import Titles
from domain.matches.data_files import register_data_folder
from domain.notifications.kinds import Channel
from projections import notifications
from projections.catalogue import PROJECTIONS
from projections.leaves import TreeLeaves
from projections.loop import FollowerLoop
from projections.platform.backoff import Backoff, Failures
from projections.platform.clock import now
from projections.platform.database import is_server
from projections.platform.descriptors import raise_descriptor_limit
from projections.platform.messages import Advanced, Appended, Message
from projections.platform.pubsub import POLL_SECONDS, PubSubClient
from projections.platform.setting_values import BadSetting
from projections.platform.settings import Settings
from projections.platform.store import ReadStore
from projections.platform.telemetry.exposition import serve_metrics
from projections.platform.telemetry.logs import configure_logs
from projections.platform.telemetry.requests import CURRENT
from projections.platform.telemetry.spans import PropagatedTraces, Traces, job_span, tracing
from workers.client import ServiceClient, build_clients
from workers.event_duties import OrganisingDuties
from workers.health import Health
from workers.hints import RequestedDuties
from workers.holidays import HolidayDuties
from workers.jobs import Jobs, build_jobs
from workers.matches.bot_turn import PLAYERS, Players, with_assistants
from workers.matches.duties import MatchDuties
from workers.metrics import FollowerMetrics, WorkerMetrics
from workers.notifications.duties import OutgoingDuties
from workers.notifications.service import OutgoingClient
from workers.priority import lower_priority
from workers.queues import (
    HAND_OVER,
    OUTGOING_QUEUES,
    QUEUES,
    QUICK_QUEUES,
    Queues,
    impatient_connection,
    patient_connection,
)
from workers.settings import WorkerSettings, worker_settings
from workers.stopping import StopFlag, stop_on_signals
from workers.turn_worker import TurnWorker

if TYPE_CHECKING:
    from projections.platform.leader_election import LeaderElection

FOLLOW_RETRIES: Final = Backoff(0.25, 5.0)
"""Seconds between retries while the store is unavailable."""
QUEUE_RETRIES: Final = Backoff(0.25, 1.0)
"""Shorter for the queues, because matches wait for them."""
CALM_SECONDS: Final = 10.0
"""Seconds of work after which a failure counts as the first."""

logger = structlog.get_logger("workers")


def follow(
    settings: Settings, titles: Titles, figures: FollowerMetrics, health: Health, traces: Traces | None = None
) -> None:
    """Advance projections and policies along the log, and enqueue due jobs, until SIGTERM or SIGINT.

    With a server of read models only the lanes that this process leads. Errors are logged and retried with a
    growing delay, while the process is not ready.
    """
    stopping = StopFlag()
    stop_on_signals(stopping)
    store = ReadStore(settings.reads_url)
    propagated = PropagatedTraces(traces)
    duties = MatchDuties(store, Queues(impatient_connection(settings.redis)), propagated)
    leaves = TreeLeaves(settings.tree_place)
    log = open_store(store_env(settings.log_place, settings.log_partitions), titles=titles, guard=leaves)
    events = OrganisingDuties(store, Queues(impatient_connection(settings.redis)))
    outgoing = OutgoingDuties(store, Queues(impatient_connection(settings.redis)), settings.outgoing.channels)
    requested = RequestedDuties(settings.analyses_place, Queues(impatient_connection(settings.redis)))
    holidays = HolidayDuties(store, Queues(impatient_connection(settings.redis)))
    issuing = JobIssuer(duties, events, outgoing, requested, holidays, figures.issued.inc)
    wake, begun_at, failures = threading.Event(), time.perf_counter(), Failures(FOLLOW_RETRIES)

    def hear(message: Message | None) -> None:
        propagated.receive(message)
        if loop.may_affect(message):
            wake.set()

    def tell(message: Advanced) -> None:
        pubsub.publish(message)
        propagated.record_update(message, begun_at, time.perf_counter())

    loop = FollowerLoop(log, store, (*PROJECTIONS.values(), duties, events), on_advance=tell)
    pubsub = PubSubClient(settings.redis, (Appended,), hear)
    figures.open(loop, log, store, impatient_connection(settings.redis))
    election = start_election(settings, loop)
    while not stopping.is_set():
        wake.clear()
        try:
            if election is not None:
                loop.set_leaderships(election.update_leaderships())
            begun_at = time.perf_counter()
            has_advanced = loop.advance()
            issuing.issue(loop.led_shards, of_events=loop.leads(events.NAME), outgoing=loop.leads(notifications.NAME))
        except Exception:
            # The log or the read models are unavailable; consumers keep their offsets.
            logger.exception("follower crashed")
            health.fail()
            stopping.wait(failures.fail())
            continue
        failures.succeed()
        health.succeed()
        if not has_advanced:
            wake.wait(POLL_SECONDS)
    if election is not None:
        election.close()
    pubsub.close()
    log.close()
    leaves.close()
    requested.close()
    store.close()


def start_election(settings: Settings, loop: FollowerLoop) -> LeaderElection | None:
    """Return the election of leaderships shared with other processes, which leads none yet.

    None for read models in a file, which have one follower that leads all.
    """
    if not is_server(settings.reads_url):
        return None
    # Importing the driver takes longer than a whole start on SQLite may.
    election: LeaderElection = load("projections.platform.leader_election", "LeaderElection")(
        settings.reads_url, loop.leaderships
    )
    loop.set_leaderships(frozenset())
    return election


class JobIssuer:
    """Enqueues due jobs; logs once when the queues become unavailable and keeps the duties."""

    def __init__(
        self,
        duties: MatchDuties,
        events: OrganisingDuties,
        outgoing: OutgoingDuties,
        requested: RequestedDuties,
        holidays: HolidayDuties,
        count: Callable[[int], None],
    ) -> None:
        """Create the issuer; `count` receives the number of issued jobs."""
        self._duties = duties
        self._events = events
        self._outgoing = outgoing
        self._requested = requested
        self._holidays = holidays
        self._count = count
        self._are_away = False

    def issue(self, slices: frozenset[int], *, of_events: bool, outgoing: bool) -> None:
        """Enqueue due jobs for matches of these slices, for tournaments and leagues, and for notifications.

        `of_events` includes holidays, analyses and hints, and hurries bots once a choice is final. While Redis is
        unavailable nothing is lost; a warning is logged once.
        """
        try:
            self._count(self._duties.issue(now(), slices))
            if of_events:
                self._count(self._events.issue(now()))
                self._count(self._requested.issue(now()))
                self._count(self._holidays.issue(now()))
                for each in self._requested.take_final_choices():
                    self._duties.make_due_now(each.match_id, each.version + 1, now(), reissue=each.was_held)
            if outgoing:
                self._count(self._outgoing.issue(now()))
        except RedisError as error:
            if not self._are_away:
                logger.warning("queues unavailable, keeping due jobs", reason=str(error))
            self._are_away = True
        else:
            self._are_away = False


def job_class(service: object, jobs: Jobs, traces: Traces | None = None) -> type[Job]:
    """Return an RQ job class that looks up functions by name in `jobs` and calls them with `service`.

    A job runs with its id as request id and in a span; failures are logged and raised.
    """

    class ServiceJob(Job):
        @property
        def func(self) -> Callable[..., Any]:
            assert self.func_name is not None
            return partial(self._run, jobs[self.func_name])

        def _run(self, job: Callable[..., Any], *args: object) -> Any:
            """Run a job; its requests to the service carry its id."""
            CURRENT.set(self.id)
            try:
                with job_span(traces, self.func_name or "", self.id, self.meta):
                    return job(service, *args)
            except Exception:
                logger.exception("a job has failed", job=self.func_name)
                raise
            finally:
                CURRENT.set("")

    return ServiceJob


def work(
    private: WorkerSettings,
    players: Players,
    figures: WorkerMetrics,
    health: Health,
    queues: Sequence[str] = QUEUES,
    traces: Traces | None = None,
) -> None:
    """Process jobs from these queues until stopped, waiting for queues that are unavailable."""
    timed_jobs = figures.timed_jobs(build_jobs(figures.timed_players(players)))
    process_jobs(private.redis, queues, job_class(ServiceClient(*build_clients(private)), timed_jobs, traces), health)


def process_jobs(url: str, queues: Sequence[str], jobs: type[Job], health: Health) -> None:
    """Process jobs of this class until stopped, retrying with backoff while Redis is unavailable.

    The process is not ready then.
    """
    stopping, failures = StopFlag(), 0
    while not stopping.is_set():
        begun_at = time.monotonic()
        try:
            work_while_connected(url, queues, jobs, stopping, health)
        except StopRequested:
            return
        except (RedisError, OSError) as error:
            logger.warning("queues unavailable, waiting", reason=str(error))
        health.fail()
        failures = failures + 1 if time.monotonic() - begun_at < CALM_SECONDS else 1
        stopping.wait(QUEUE_RETRIES.delay(failures))


def work_while_connected(url: str, queues: Sequence[str], jobs: type[Job], stopping: StopFlag, health: Health) -> None:
    """Process jobs until stopped or disconnected; afterwards restore our signal handlers, which RQ replaces.

    Raise `RedisError` or `OSError` if Redis is unavailable. Ready once connected; `stopping` is set if RQ was
    stopped.
    """
    worker = None
    stop_on_signals(stopping)
    try:
        connection = patient_connection(url)
        connection.ping()
        health.succeed()
        worker = TurnWorker(queues, connection=connection, serializer=JSONSerializer, job_class=jobs, stopping=stopping)
        worker.work(logging_level="WARNING")
    finally:
        stop_on_signals(stopping)
        if worker is not None and worker.was_told_to_stop:
            stopping.set()


def prepare_process() -> None:
    """Prepare types and freeze the garbage collector after loading, before threads start.

    Collecting the loaded objects would take most of the time of a shutdown.
    """
    prepare_types()
    gc.freeze()


def run_follower(settings: Settings, players: Players, health: Health) -> None:
    """Run a follower with metrics until stopped."""
    figures = FollowerMetrics()
    prepare_process()
    with serve_metrics(settings.metrics, figures), tracing(settings, "follower") as traces:
        follow(settings, players.titles, figures, health, traces)


def run_worker(settings: Settings, players: Players, health: Health) -> None:
    """Run a worker at lower priority, with metrics and assistants, until stopped."""
    lower_priority()
    figures, private = WorkerMetrics(), worker_settings(settings)
    prepare_process()
    with (
        serve_metrics(settings.metrics, figures),
        tracing(settings, "worker") as traces,
        with_assistants(players, settings) as assisted_players,
    ):
        work(private, assisted_players, figures, health, queues_of(settings), traces)


def run_mailer(settings: Settings, players: Players, health: Health) -> None:  # noqa: ARG001  (as all of them)
    """Send mails until stopped."""
    settings.require("mail")
    run_outgoing(settings, health, "mail")


def run_pusher(settings: Settings, players: Players, health: Health) -> None:  # noqa: ARG001
    """Send push messages until stopped."""
    settings.require("push")
    run_outgoing(settings, health, "push")


def run_outgoing(settings: Settings, health: Health, channel: Channel) -> None:
    """Process the jobs of one channel of notifications, with metrics, until stopped."""
    # Other processes do not need this module; importing it would take most of a worker's start.
    job: Callable[..., Any] = load("workers.notifications.delivery", "job_of")(settings.outgoing, channel)
    figures, private = WorkerMetrics(), worker_settings(settings)
    prepare_process()
    with serve_metrics(settings.metrics, figures), tracing(settings, "worker") as traces:
        client = OutgoingClient(build_clients(private)[1])
        timed_jobs = figures.timed_jobs({HAND_OVER: job})
        process_jobs(private.redis, (OUTGOING_QUEUES[channel],), job_class(client, timed_jobs, traces), health)


def queues_of(settings: Settings) -> Sequence[str]:
    """Return the queues that a worker serves."""
    return QUEUES if settings.thinks else QUICK_QUEUES


PROCESSES: Final[Mapping[str, Callable[[Settings, Players, Health], None]]] = {
    "follower": run_follower,
    "worker": run_worker,
    "mailer": run_mailer,
    "pusher": run_pusher,
}


def main(arguments: list[str], players: Players = PLAYERS) -> int:
    """Run the process named on the command line until it is stopped; return 0.

    Log an error and return 2 for wrong arguments, bad settings or bad data.
    """
    configure_logs(Settings(), "workers")
    raise_descriptor_limit()
    if len(arguments) != 1 or arguments[0] not in PROCESSES:
        logger.error("usage error", usage=f"python -m workers.main {'|'.join(PROCESSES)}")
        return 2
    try:
        settings = Settings.from_environment(os.environ)
        configure_logs(settings, arguments[0])
        worker_settings(settings)
        register_data_folder(settings.data, players.titles)
    except (BadSetting, DataFault) as fault:
        logger.error(str(fault))
        return 2
    PROCESSES[arguments[0]](settings, players, Health())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
