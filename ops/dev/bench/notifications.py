"""Time from a turn to its mail and push at 1,000 tables, and delivery of 10,000 messages after an outage.

During the outage the mail server is away for ten minutes; every message must be sent exactly once.
"""

import re
import time
from collections import Counter
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from api.accounts.people import People
from api.notifications.outbox import Outbox, OutboxRow
from api.notifications.recipients import Recipients
from domain.matches.log.entries import microseconds
from domain.notifications.kinds import Channel
from ops.dev.bench.figures import Figure, Section, milliseconds, percentile
from ops.dev.bench.sinks import MailSink, PushSink, mail_sink, push_sink
from ops.temporary_service import service_in
from projections.platform.outgoing_settings import Outgoing
from projections.platform.settings import PEOPLE_FILE
from workers.notifications.delivery import deliver_mails
from workers.notifications.mail import Mailer
from workers.notifications.service import Leased, Mail, Outcome

TABLES: Final = 1_000
PEOPLE: Final = 100
WAITING: Final = 10_000
OUTAGE: Final = timedelta(minutes=10)
LOOK: Final = timedelta(seconds=1)
NOTIFY_BUDGET: Final = 5.0
PATIENCE_SECONDS: Final = 60.0
LOOK_SECONDS: Final = 0.5
LEASED: Final = 50
SENDER: Final = "post@esporles.example"
LINK: Final = re.compile(rb"/tables/([0-9a-f-]{36})")
MESSAGE_ID: Final = re.compile(rb"Message-ID: <(\w+)@")
SLOW: Final = {"clock": {"kind": "correspondence", "seconds": 86_400}}


class WaitingOutbox:
    """The service's interface for the mailer, with a simulated clock."""

    def __init__(self, outbox: Outbox, at: datetime) -> None:
        self._outbox = outbox
        self.at = at

    def lease(self, channel: Channel) -> Leased:
        """Return due mails at the simulated time, at most `LEASED`, and whether there may be more."""
        found = self._outbox.lease(channel, self.at, LEASED)
        mails = tuple(
            Mail(
                message=rows[0].message,
                to=f"{rows[0].person}@players.example",
                sender=SENDER,
                bounces="",
                message_id=f"<{rows[0].message}@esporles.example>",
                subject="Your turn",
                text="Your turn",
                html="<p>Your turn</p>",
                unsubscribe="",
            )
            for rows in found
        )
        return Leased(mails, more=len(found) == LEASED)

    def settle(self, message: str, channel: Channel, outcome: Outcome) -> None:
        """Record the outcome of a message."""
        self._outbox.settle(message, channel, outcome, self.at)


def outage(folder: Path) -> tuple[float, int, int]:
    """Queue messages while the mail server is away.

    Returns the seconds of sending, messages sent, and sent repeatedly. The clock during the outage is simulated.
    """
    started_at = datetime(2026, 1, 1, tzinfo=UTC)
    with closing(People(folder / PEOPLE_FILE)) as people:
        persons = [people.create_guest(started_at).id for _ in range(PEOPLE)]
    with closing(Outbox(folder / PEOPLE_FILE)) as outbox:
        outbox.set_first_position(0)
        due_at = microseconds(started_at)
        each = WAITING // PEOPLE
        outbox.add_rows(
            (
                OutboxRow(f"turn-{number}", person, "turn", "mail", due=due_at, about="/")
                for person in persons
                for number in range(each)
            ),
            started_at,
        )
        with mail_sink() as sink:
            port = sink.port
        service = WaitingOutbox(outbox, started_at)
        mailer = Mailer(Outgoing(mail=f"smtp+plain://127.0.0.1:{port}", mail_from=SENDER))
        while service.at < started_at + OUTAGE:
            deliver_mails(service, mailer)
            service.at += LOOK
        with mail_sink(port) as sink:
            started = time.perf_counter()
            while any(state.waiting for state in outbox.channel_states(service.at)):
                deliver_mails(service, mailer)
                service.at += LOOK
            seconds = time.perf_counter() - started
            counts = Counter(found[1] for _, letter in sink.letters if (found := MESSAGE_ID.search(letter)))
    return seconds, len(counts), sum(count > 1 for count in counts.values())


class ApiClient:
    """A client that sends requests for several people."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._connection = HTTPConnection(parts.hostname or "", parts.port, timeout=PATIENCE_SECONDS)

    def post(self, token: str, path: str, content: object) -> Any:
        """Send a JSON request and return the decoded response; raise `AssertionError` on any error status."""
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self._connection.request("POST", f"/api{path}", msgspec.json.encode(content), headers)
        response = self._connection.getresponse()
        body = response.read()
        assert response.status < 300, body
        return msgspec.json.decode(body)


def tokens_in(folder: Path) -> list[str]:
    """Create people with confirmed mail addresses and return a token for each."""
    at, tokens = datetime.now(UTC), list[str]()
    with closing(People(folder / PEOPLE_FILE)) as people, closing(Recipients(folder / PEOPLE_FILE)) as recipients:
        for number in range(PEOPLE):
            person = people.create_guest(at)
            recipients.confirm_address(recipients.set_address(person.id, f"p{number}@players.example", "en", at).id)
            tokens.append(people.access.issue_token(person, "", at)[1])
    return tokens


def notification_seconds(folder: Path) -> tuple[list[float], list[float]]:
    """Measure, for every table, the seconds from the response that started the turn to its mail and to its push.

    A missing message counts as arrived at the end of the wait.
    """
    tokens, started_at_by_match = tokens_in(folder), dict[str, float]()
    with mail_sink() as mails, push_sink(folder / "pushes") as pushes:
        options: dict[str, Any] = {
            "mail": f"smtp+plain://127.0.0.1:{mails.port}",
            "mail_from": SENDER,
            "address": "https://esporles.example",
            "push": "mailto:post@esporles.example",
            "push_allowed": pushes.host_and_port,
        }
        with service_in(folder, **options) as service:
            client = ApiClient(service.url)
            for number, token in enumerate(tokens):
                client.post(token, "/me/notifications/devices", pushes.subscription(number))
            for number in range(TABLES):
                tokens_of_table = tokens[number % PEOPLE], tokens[(number * 7 + 1) % PEOPLE]
                tokens_of_table = (
                    tokens_of_table if tokens_of_table[0] != tokens_of_table[1] else (tokens[0], tokens[1])
                )
                match_id = client.post(
                    tokens_of_table[0], "/matches", {"title": "el_grande", "seats": 2, "table": SLOW}
                )["matchId"]
                for seat, token in enumerate(tokens_of_table):
                    client.post(token, f"/matches/{match_id}/seats", {"seat": seat})
                for token in tokens_of_table:
                    client.post(token, f"/matches/{match_id}/ready", {})
                started_at_by_match[match_id] = time.monotonic()
            deadline = time.monotonic() + PATIENCE_SECONDS
            readers = partial(letters_in, mails), partial(pushes_in, pushes)
            while any(len(read_arrivals()) < TABLES for read_arrivals in readers) and time.monotonic() < deadline:
                time.sleep(LOOK_SECONDS)
        arrivals = [read_arrivals() for read_arrivals in readers]
    by_mail, by_push = (
        [each.get(match_id, deadline) - started_at for match_id, started_at in started_at_by_match.items()]
        for each in arrivals
    )
    return by_mail, by_push


def letters_in(sink: MailSink) -> dict[str, float]:
    """Return the arrival time of the first mail about each match, by its id."""
    arrivals_by_match: dict[str, float] = {}
    for arrived_at, letter in list(sink.letters):
        # Quoted-printable wraps long lines with a trailing `=`.
        if match := LINK.search(letter.replace(b"=\r\n", b"")):
            arrivals_by_match.setdefault(match[1].decode(), arrived_at)
    return arrivals_by_match


def pushes_in(sink: PushSink) -> dict[str, float]:
    """Return the arrival time of the first push about each match, by its id."""
    arrivals_by_match: dict[str, float] = {}
    for arrived_at, url in sink.arrivals():
        arrivals_by_match.setdefault(url.rpartition("/")[2], arrived_at)
    return arrivals_by_match


def notification_figure(channel: str, times: list[float]) -> Figure:
    """Return the row for the 99th percentile."""
    p99, median_text = percentile(times, 0.99), milliseconds(median(times))
    label = f"turn notification by {channel} at {TABLES} tables until accepted, p99 (median {median_text})"
    return Figure(label, milliseconds(p99), "< 5 s", p99 < NOTIFY_BUDGET)


def section() -> Section:
    """Measure the outage and the deliveries."""
    with TemporaryDirectory() as folder:
        seconds, sent, duplicate_count = outage(Path(folder))
    with TemporaryDirectory() as folder:
        times_by_channel = dict(zip(("mail", "push"), notification_seconds(Path(folder)), strict=True))
    return Section(
        "Notifications",
        (
            *(notification_figure(channel, seconds) for channel, seconds in times_by_channel.items()),
            Figure(
                f"{WAITING} messages after ten minutes without a server: sent, and sent twice",
                f"{sent}, {duplicate_count}",
                f"{WAITING}, 0",
                (sent, duplicate_count) == (WAITING, 0),
                f"{sent / seconds:.0f} a second",
            ),
        ),
    )
