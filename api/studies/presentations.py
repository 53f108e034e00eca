"""Presentations: the place that a writer currently shows to followers.

They are not logged, and end shortly after the last message of the presenter's page.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final
from uuid import UUID

import msgspec
from litestar.response.sse import ServerSentEventMessage

from api.http.app_state import AppKey
from api.http.notifier import PRESENTED_TOPIC, Notifier, Subscriber, Topic
from api.studies.service import StudyOfCaller
from domain.matches.facts import Actor
from projections.platform.messages import Presented

LASTS_SECONDS: Final = 30.0
"""Seconds that a presentation lasts without renewal; the presenter's page renews it every ten seconds."""
CALM_SECONDS: Final = 0.1
PLACE: Final = "place"
STUDY: Final = "study"
"""Events of the stream: another place is presented, or the study has changed."""
BEAT: Final = "beat"


class Presentation(msgspec.Struct, frozen=True, omit_defaults=True):
    """A presented place with presenter and chosen view; without a name, the presentation has ended."""

    by: Actor = ""
    name: str = ""
    at: int = 0
    variation: int = 0
    step: int = 0
    eyes: str = "all"


ENDED: Final = Presentation()
DECODER: Final = msgspec.json.Decoder(Presentation)


class Presentations:
    """The current presentations, as known to this process. Use on the event loop, except for `hear`."""

    def __init__(self, notifier: Notifier, lasts_seconds: float = LASTS_SECONDS) -> None:
        self._loop = asyncio.get_running_loop()
        self._notifier = notifier
        self._publish: Callable[[Presented], None] | None = None
        self._lasts_seconds = lasts_seconds
        self._presentations_by_study = dict[UUID, tuple[float, Presentation]]()

    def set_notifier(self, publish: Callable[[Presented], None]) -> None:
        """Set the function that notifies other processes."""
        self._publish = publish

    def at(self, study_id: UUID) -> Presentation:
        """Return the presentation of a study, or `ENDED`."""
        expires, presentation = self._presentations_by_study.get(study_id, (0.0, ENDED))
        return presentation if self._loop.time() < expires else ENDED

    def present(self, study_id: UUID, presentation: Presentation) -> None:
        """Present a place in this and all other processes, or end the presentation (`ENDED`)."""
        self._apply(study_id, presentation)
        if self._publish is not None:
            self._publish(Presented({study_id: msgspec.json.encode(presentation).decode()}))

    def receive(self, message: Presented) -> None:
        """Apply a notification from another process; callable from any thread."""
        self._loop.call_soon_threadsafe(self._receive, message.places)

    def _receive(self, places: Mapping[UUID, str]) -> None:
        for study_id, encoded in places.items():
            self._apply(study_id, DECODER.decode(encoded))

    def _apply(self, study_id: UUID, presentation: Presentation) -> None:
        """Show a presentation until it expires, or end it, and notify followers in this process; drop expired ones."""
        now = self._loop.time()
        self._presentations_by_study = {
            id_: each for id_, each in self._presentations_by_study.items() if now < each[0]
        }
        if presentation == ENDED:
            self._presentations_by_study.pop(study_id, None)
        else:
            self._presentations_by_study[study_id] = (now + self._lasts_seconds, presentation)
        self._notifier.notify((PRESENTED_TOPIC, str(study_id)))


PRESENTATIONS: Final = AppKey[Presentations]("presentations")


class StudyScene:
    """The live scene of a study."""

    calm_seconds = CALM_SECONDS

    def __init__(self, presentations: Presentations, study: StudyOfCaller) -> None:
        self._presentations = presentations
        self._study = study
        self._study_id = study.id
        self._last_sent = ENDED
        self._version_sent = 0

    def topics(self) -> Sequence[Topic]:
        """Return the topics to subscribe to."""
        return self._study_id, (PRESENTED_TOPIC, str(self._study_id))

    async def next_events(self, _: Subscriber, __: frozenset[Topic]) -> Sequence[ServerSentEventMessage]:
        """Return the changes since the last call; the first call returns the current place and version.

        The version lets a page notice changes that it missed before its stream began or during an interruption.
        """
        version = (await self._study.read()).version
        found = list[ServerSentEventMessage]()
        presentation = self._presentations.at(self._study_id)
        if presentation != self._last_sent:
            self._last_sent = presentation
            found.append(encode_event(PLACE, msgspec.to_builtins(presentation)))
        if version != self._version_sent:
            self._version_sent = version
            found.append(encode_event(STUDY, {"version": version}))
        return found

    async def is_urgent(self, _: frozenset[Topic], __: frozenset[Topic]) -> bool:
        """Return False: no update is urgent."""
        return False

    def heartbeat(self) -> ServerSentEventMessage:
        """Return a heartbeat."""
        return encode_event(BEAT, {})


def encode_event(name: str, data: Mapping[str, Any]) -> ServerSentEventMessage:
    """Return a server-sent event with JSON data."""
    return ServerSentEventMessage(msgspec.json.encode(data).decode(), event=name)
