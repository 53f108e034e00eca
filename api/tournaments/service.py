"""The tournament service for one caller, divided by subject."""

from __future__ import annotations

from typing import Final

from api.accounts.service import AccountService
from api.contests.entrants import EntrantReader
from api.http.guards import Caller
from api.matches.service import MatchService
from api.tournaments.changes import TournamentChanges
from api.tournaments.claims import TableClaims
from api.tournaments.codes import SeatCodes
from api.tournaments.duties import TournamentDuties
from api.tournaments.photos import PhotoResources, TournamentPhotos
from api.tournaments.plans import TournamentPlans
from api.tournaments.queries import TournamentQueries
from api.tournaments.registration import Registration
from api.tournaments.rounds import TournamentRounds


class TournamentService:
    """Tournaments, for one caller."""

    def __init__(
        self,
        matches: MatchService,
        accounts: AccountService,
        caller: Caller,
        codes: SeatCodes,
        photo_resources: PhotoResources,
        entrants: EntrantReader,
    ) -> None:
        self.accounts: Final = accounts
        self.bots: Final = matches.bots
        self.caller: Final = caller
        self.reading: Final = TournamentQueries(matches, accounts, caller)
        self.changes: Final = TournamentChanges(matches, self.reading, accounts, caller)
        self.plans: Final = TournamentPlans(matches, self.reading, self.changes, accounts, caller)
        self.registration: Final = Registration(matches, self.reading, self.changes, accounts, caller, entrants)
        self.rounds: Final = TournamentRounds(matches, self.reading, self.changes, self.registration, accounts, caller)
        self.duties: Final = TournamentDuties(matches, self.reading, self.changes)
        self.claims: Final = TableClaims(self.reading, self.changes, codes, caller)
        self.photos: Final = TournamentPhotos(self.reading, self.changes, accounts, photo_resources, caller)
