"""Presentations are sent between processes without loss for subscribers."""

from __future__ import annotations

import asyncio
from uuid import UUID

import msgspec

from api.http.bells import PRESENTED, Bells
from api.studies.presenting import ENDED, Presentation, Presentations
from projections.platform.rings import Presented
from tests.api.house import PATIENCE_SECONDS

STUDY = UUID(int=1)
TOPIC = PRESENTED, str(STUDY)
SHOWN = Presentation("ann", "Ann", at=7)


def test_a_subscriber_receives_a_place_that_is_being_sent() -> None:
    async def story() -> None:
        bells = Bells(asyncio.get_running_loop())
        here = Presentations(bells)
        here.hear(Presented({STUDY: msgspec.json.encode(SHOWN).decode()}))
        with bells.listening(TOPIC) as ear:
            assert here.at(STUDY) == ENDED, "it has come, and is not taken up yet"

            assert await ear.rings(PATIENCE_SECONDS) == {TOPIC}
            assert here.at(STUDY) == SHOWN

    asyncio.run(story())
