"""The delivery job: settles each mail before the next, so that a crash leaves at most one in doubt.

Pushes go to many servers, any of which may be slow, so several are sent concurrently.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial
from typing import Final

from domain.notifications.kinds import Channel
from projections.platform.outgoing_settings import Outgoing
from workers.notifications.mail import Mailer
from workers.notifications.push import Pusher
from workers.notifications.service import Leased, Mail, Outcome, OutgoingService

JOB_SECONDS: Final = 45.0
"""Seconds after which a job starts no further message.

With the longest time one message may take it is shorter than a lease (`api.notifications.outbox.LEASE`).
"""
AT_ONCE: Final = 16
"""Pushes sent concurrently."""

Clock = Callable[[], float]


def deliver_mails(service: OutgoingService, mailer: Mailer, clock: Clock = time.monotonic) -> int:
    """Send all due mails until the server is unavailable or time is over; return the number sent.

    Every outcome is reported; leased mails that were not tried are released as "unbegun".
    """
    deadline, count = clock() + JOB_SECONDS, 0
    while clock() < deadline:
        leased = service.lease("mail")
        for index, mail in enumerate(leased.mails):
            outcome = mailer.send(mail) if clock() < deadline else "unbegun"
            service.settle(mail.message, "mail", outcome)
            count += outcome == "sent"
            if outcome == "away":
                release(service, leased.mails[index + 1 :])
                return count
        if not leased.more:
            break
    mailer.close()
    return count


def release(service: OutgoingService, mails: tuple[Mail, ...]) -> None:
    """Release leased mails that were not sent, so that they are retried when the server is back."""
    for mail in mails:
        service.settle(mail.message, "mail", "unbegun")


def deliver_pushes(service: OutgoingService, pusher: Pusher, clock: Clock = time.monotonic) -> int:
    """Send all due pushes, `AT_ONCE` in parallel, until time is over; return the number sent.

    Every outcome is reported, failures too; leased pushes are sent to the end.
    """
    deadline, count = clock() + JOB_SECONDS, 0
    with ThreadPoolExecutor(AT_ONCE, "push") as threads:
        while clock() < deadline:
            leased: Leased = service.lease("push")
            sending = {threads.submit(pusher.send, push): push for push in leased.pushes}
            for future in as_completed(sending):
                outcome: Outcome = future.result()
                service.settle(sending[future].message, "push", outcome)
                count += outcome == "sent"
            if not leased.more:
                break
    return count


def job_of(settings: Outgoing, channel: Channel) -> Callable[[OutgoingService], int]:
    """Return the delivery job of a channel with these settings: of mails for "mail", else of pushes."""
    if channel == "mail":
        return partial(deliver_mails, mailer=Mailer(settings))
    return partial(deliver_pushes, pusher=Pusher(settings.push_allowed))
