"""Log lines: one format, with the request they belong to, and without secrets."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import structlog
from rq import Queue
from rq.serializers import JSONSerializer

from projections.platform.declarations import Secret
from projections.platform.settings import Settings
from projections.platform.telemetry.logs import REMOVED, configure_logs
from projections.platform.telemetry.requests import CURRENT, new_request_id
from workers.main import job_class
from workers.queues import patient_connection
from workers.stopping import StopFlag
from workers.turn_worker import TurnWorker

SECRETS = Settings(
    logs="json",
    token="the-service-itself",
    openid_secret=Secret("word-of-the-provider"),
    store="postgresql://house:p%40ssword@db.example/log",
    reads="postgresql://db.example/reads?user=house&password=word-of-reads",
    tree="postgresql://house:word-of-tree@db.example/tree",
    people="postgresql://house:word-of-people@db.example/people",
    redis="rediss+sentinel://:valkey-word@queues.example/house?sentinel_password=word-of-sentinels",
)


class Lines(StringIO):
    """A stream of log lines, decoded as objects."""

    def objects(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.getvalue().splitlines()]


@pytest.fixture
def lines() -> Iterator[Lines]:
    """Provide the log of this process for a test."""
    root, written = logging.getLogger(), Lines()
    handlers, level = root.handlers[:], root.level
    configure_logs(SECRETS, "worker", written)
    yield written
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


def test_a_line_has_time_logger_and_event(lines: Lines) -> None:
    structlog.get_logger("follower").warning("behind", follower="boards", entries=7)

    (line,) = lines.objects()
    assert line.pop("timestamp").endswith("Z")
    assert line == {
        "event": "behind",
        "follower": "boards",
        "entries": 7,
        "process": "worker",
        "logger": "follower",
        "level": "warning",
    }


def test_lines_of_libraries_look_the_same(lines: Lines) -> None:
    logging.getLogger("httpx.of_this_test").warning("gone %s", "away")
    logging.getLogger("httpx.of_this_test").info("started")

    assert [(line["logger"], line["event"]) for line in lines.objects()] == [("httpx.of_this_test", "gone away")]


def test_a_line_names_the_request_it_is_about(lines: Lines) -> None:
    request = new_request_id()
    token = CURRENT.set(request)
    structlog.get_logger("requests").error("fault")
    logging.getLogger("somebody.else").error("fault")
    CURRENT.reset(token)
    structlog.get_logger("requests").error("no request")

    assert [line.get("request_id") for line in lines.objects()] == [request, request, None]


def test_an_exception_is_logged_without_values(lines: Lines) -> None:
    try:
        raise ValueError("the hand of seat 2: card 17")
    except ValueError:
        structlog.get_logger("follower").exception("cannot follow")
        logging.getLogger("somebody.different").exception("never retrieved")

    assert [line["kind"] for line in lines.objects()] == ["ValueError", "ValueError"]
    assert all("test_logs.py" in line["places"][0] for line in lines.objects())
    assert "card 17" not in lines.getvalue()


def test_a_failed_job_is_logged_once_without_values(lines: Lines, redis_url: str) -> None:
    def fail(_: object) -> None:
        raise ValueError("the card in hand is 17")

    kind = job_class(None, {"fail": fail})
    with patient_connection(redis_url) as connection:
        options: dict[str, Any] = {"connection": connection, "serializer": JSONSerializer, "job_class": kind}
        queue = Queue("failing", **options)
        worker = TurnWorker([queue], **options, stopping=StopFlag())
        job = queue.enqueue_call("fail", timeout=5)
        worker.perform_job(job, queue)
        result = job.latest_result()

    assert [(line["event"], line["kind"], line["job"]) for line in lines.objects()] == [
        ("a job has failed", "ValueError", "fail")
    ]
    assert "card in hand" not in lines.getvalue()
    assert result is not None
    assert result.exc_string == f"{job.id}: ValueError", "the queues keep no more"


def test_messages_of_the_operating_system_are_logged(lines: Lines, tmp_path: Path) -> None:
    try:
        (tmp_path / "nothing").read_text()
    except OSError:
        structlog.get_logger("follower").exception("cannot read")

    assert "No such file" in lines.objects()[0]["reason"]


def test_secrets_of_the_settings_are_in_no_line(lines: Lines) -> None:
    secrets = ["the-service-itself", "word-of-the-provider", "p@ssword", "p%40ssword", "valkey-word"]
    secrets += ["word-of-reads", "word-of-tree", "word-of-people", "word-of-sentinels"]
    for word in secrets:
        structlog.get_logger("x").warning(f"said {word}", value=f"<{word}>", many=[word], deep={"er": word})
        structlog.get_logger("x").warning(
            "opened", place=Path(word), raw=word.encode(), fault=ValueError(word), times=3
        )
        logging.getLogger("y").warning("said %s", word)
        try:
            raise OSError(f"cannot reach {word}")
        except OSError:
            logging.getLogger("z").exception("away")

    assert not [word for word in secrets if word in lines.getvalue()]
    assert lines.objects()[0]["deep"] == {"er": REMOVED}
    assert (lines.objects()[1]["place"], lines.objects()[1]["times"]) == (REMOVED, 3)


def test_the_text_format_is_one_line() -> None:
    root, written = logging.getLogger(), Lines()
    handlers, level = root.handlers[:], root.level
    try:
        configure_logs(Settings(), "follower", written)
        structlog.get_logger("follower").warning("behind", entries=7)
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
        structlog.reset_defaults()

    assert "event='behind'" in written.getvalue()
    assert "entries=7" in written.getvalue()
