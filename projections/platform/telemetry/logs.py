"""Log lines of a process, as text or JSON, with their request and without secrets.

Messages of exceptions may contain personal values, so only the kind and the traceback are logged. Messages of the
operating system, SQLite and Redis are kept, because they are about files and addresses. Secrets of the settings are
removed from every value.
"""

from __future__ import annotations

import logging
import sqlite3
import sys
from collections.abc import Callable, Mapping, MutableMapping
from traceback import extract_tb
from typing import Any, Final, TextIO
from urllib.parse import unquote, urlsplit

import structlog
from redis.exceptions import RedisError
from structlog.typing import EventDict, Processor, WrappedLogger

from projections.platform.setting_values import JSON
from projections.platform.settings import Settings
from projections.platform.telemetry.requests import CURRENT
from projections.platform.telemetry.spans import SPAN

TELLING: Final = (OSError, sqlite3.Error, RedisError)
"""Kinds of exceptions whose messages contain no personal values."""
WORD_MIN: Final = 6
"""Shorter secrets would match ordinary words."""
REMOVED: Final = "(removed)"
QUIET: Final = ("uvicorn", "rq", "httpx", "httpcore", "authlib", "opentelemetry")
"""Libraries that log only warnings and errors."""


def secret_words(settings: Settings) -> tuple[str, ...]:
    """Return the words that must not be logged: secrets of the settings and passwords in their URLs.

    Longest first; words shorter than `WORD_MIN` are left out.
    """
    urls = (settings.store, settings.reads, settings.tree, settings.people, settings.redis, settings.traces)
    secrets = {settings.token, settings.openid_secret.word}
    for password in (password for url in urls for password in passwords_in(url)):
        secrets |= {password, unquote(password)}
    return tuple(sorted((secret for secret in secrets if len(secret) >= WORD_MIN), key=len, reverse=True))


def passwords_in(url: str) -> list[str]:
    """Return the passwords in a URL as written: the user's, possibly empty, and those of the query."""
    parts = urlsplit(url)
    query_pairs = (each.partition("=") for each in parts.query.split("&"))
    return [parts.password or "", *(value for name, _, value in query_pairs if name.endswith("password"))]


class SecretRemover:
    """A processor that removes secrets from log lines."""

    def __init__(self, secrets: tuple[str, ...]) -> None:
        self._secrets = secrets

    def __call__(self, _: WrappedLogger, __: str, event: EventDict) -> EventDict:
        """Return the event with secrets removed from its values."""
        return {name: self._remove_secrets(value) for name, value in event.items()} if self._secrets else event

    def _remove_secrets(self, value: object) -> Any:
        """Return the value with secret words replaced, also inside lists and mappings; tuples become lists."""
        if isinstance(value, str):
            for secret in self._secrets:
                value = value.replace(secret, REMOVED)
            return value
        if isinstance(value, list | tuple):
            return [self._remove_secrets(each) for each in value]
        if isinstance(value, Mapping):
            return {name: self._remove_secrets(each) for name, each in value.items()}
        # A line shows the text of any other value.
        return REMOVED if any(secret in str(value) for secret in self._secrets) else value


def add_request(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Add the id of the current request or job, and its trace id."""
    if (request := CURRENT.get()) and "request_id" not in event:
        event["request_id"] = request
    if (span := SPAN.get()) is not None and (trace := span.trace_id):
        event["trace_id"] = trace
    return event


def describe_exception(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """Replace an exception in an event by its fields; see `exception_fields`."""
    found = event.pop("exc_info", None)
    if not found:
        return event
    if not isinstance(found, BaseException):
        found = found[1] if isinstance(found, tuple) else sys.exc_info()[1]
    if found is not None:
        event.update(exception_fields(found))
    return event


def exception_fields(fault: BaseException) -> dict[str, Any]:
    """Return kind, traceback and cause of an exception, and its message only if it contains no personal values."""
    places = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in extract_tb(fault.__traceback__)]
    found: dict[str, Any] = {"kind": type(fault).__name__, "places": places}
    if isinstance(fault, TELLING):
        found["reason"] = str(fault)
    if fault.__cause__ is not None:
        found["cause"] = type(fault.__cause__).__name__
    return found


class JobReportFilter(logging.Filter):
    """A filter for RQ's report of a failed job, which contains its message; jobs are logged without."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the record is not such a report."""
        return "exception raised while executing" not in str(record.msg)


def configure_logs(settings: Settings, process: str, stream: TextIO = sys.stderr) -> None:
    """Configure this process to log to the stream, with records of libraries in the same format.

    Lines have process, time in UTC and request; secrets are removed, and levels below INFO left out. Earlier
    handlers of the root logger are replaced.
    """

    def add_process(_: WrappedLogger, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        event["process"] = process
        return event

    shared_processors: list[Processor] = [
        add_process,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        add_request,
        describe_exception,
        SecretRemover(secret_words(settings)),
    ]
    renderer: Processor = (
        structlog.processors.JSONRenderer(default=str)
        if settings.logs == JSON
        else structlog.processors.KeyValueRenderer(key_order=["timestamp", "level", "event"])
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.PositionalArgumentsFormatter(), *shared_processors],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    for name in QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.getLogger("rq.worker").addFilter(JobReportFilter())
    structlog.configure(
        processors=[*shared_processors, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )


def configure_warnings(settings: Settings, process: str) -> Callable[..., Any]:
    """Configure the logs of a process; return the function that logs a warning."""
    configure_logs(settings, process)
    warn: Callable[..., Any] = structlog.get_logger(process).warning
    return warn
