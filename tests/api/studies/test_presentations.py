"""Presentations are sent between processes without loss for subscribers."""

from __future__ import annotations

import asyncio
from uuid import UUID

import msgspec

from api.http.notifier import PRESENTED_TOPIC, Notifier
from api.studies.presentations import ENDED, Presentation, Presentations
from projections.platform.messages import Presented
from tests.api.service import PATIENCE_SECONDS

STUDY = UUID(int=1)
TOPIC = PRESENTED_TOPIC, str(STUDY)
SHOWN = Presentation("ann", "Ann", at=7)


def test_a_subscriber_receives_a_place_that_is_being_sent() -> None:
    async def story() -> None:
        notifier = Notifier(asyncio.get_running_loop())
        presentations = Presentations(notifier)
        presentations.receive(Presented({STUDY: msgspec.json.encode(SHOWN).decode()}))
        with notifier.subscribe(TOPIC) as subscriber:
            assert presentations.at(STUDY) == ENDED, "it has come, and is not taken up yet"

            assert await subscriber.wait(PATIENCE_SECONDS) == {TOPIC}
            assert presentations.at(STUDY) == SHOWN

    asyncio.run(story())
