"""The match service, composed of one part per task."""

from __future__ import annotations

from typing import Final

from api.accounts.service import AccountService
from api.http.app_state import AppKey
from api.http.notifier import Notifier
from api.http.writer import OneWriter
from api.matches.invitations import Invitations
from api.matches.match_duties import MatchDuties
from api.matches.match_lists import MatchLists
from api.matches.match_logs import MatchLogs
from api.matches.match_reading import MatchReading
from api.matches.play import Play
from api.matches.seating import Seating
from api.matches.signatures import SignatureChecks
from api.matches.signed_acts import SignedActs
from api.titles.drawing import Drawings
from domain.eventstore.application import Matches
from projections.platform.settings import Settings
from projections.platform.store import ReadStore


class MatchService:
    """Matches; services of other subjects use the same writer."""

    def __init__(
        self,
        matches: Matches,
        reads: ReadStore,
        accounts: AccountService,
        notifier: Notifier,
        drawings: Drawings,
        invitations: Invitations,
        settings: Settings,
    ) -> None:
        self.bots: Final = settings.bots
        self.titles: Final = matches.titles
        self.drawings: Final = drawings
        self.notifier: Final = notifier
        self.writer: Final = OneWriter(matches, reads, notifier)
        self.reading: Final = MatchReading(matches, self.writer, accounts, drawings, invitations, settings.bots)
        self.lists: Final = MatchLists(self.writer, accounts, self.reading)
        self.duties: Final = MatchDuties(self.writer, settings.bots)
        self.logs: Final = MatchLogs(self.writer, settings.bots)
        self._signatures = SignatureChecks()
        self.signing: Final = SignedActs(self.reading, self._signatures)
        self.seating: Final = Seating(self.writer, self.reading, self.signing, settings)
        self.play: Final = Play(self.writer, self.reading, self.signing, self.seating, settings.bots)

    def close(self) -> None:
        """Stop the threads."""
        self.writer.close()
        self._signatures.close()


MATCHES: Final = AppKey[MatchService]("tables")
