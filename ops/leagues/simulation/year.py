"""A simulated year: the acts of the people of a league, in the order of time."""

import heapq
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import count
from random import Random
from typing import Any, Final

from ops.leagues.simulation.disputes import RULED_AFTER, Disputes
from ops.leagues.simulation.people import Player, choose_holiday, choose_round, create_people
from ops.leagues.simulation.service import SimulatedService
from ops.leagues.simulation.shape import ROUND_DAYS, Shape, plan_of
from ops.leagues.simulation.tables import SimulatedTable
from ops.leagues.simulation.waiting import Watch
from ops.progress import Steps
from workers.queues import LEAGUE_STEP

Act = Callable[[], object]
RESERVES_ENTER: Final = 0.9
"""The part of the time for registration after which people who wait for a place enter."""
READY_HOURS: Final = (1.0, 20.0)
"""Hours after the opening of a round in which players confirm their seats; the service begins after a day."""
FIRST_DAY_HOURS: Final = (24.5, 36.0)
DAY: Final = timedelta(days=1)
LOOK_AGAIN: Final = timedelta(minutes=2)
"""Time after a ruling in which the service tries a step again that waited for it."""


class SimulatedYear:
    """The league, its people, and their planned acts."""

    def __init__(self, service: SimulatedService, shape: Shape, progress: Steps) -> None:
        self.service = service
        self.shape = shape
        self.organiser, self.organiser_token = service.create_account("Organiser", "operator")
        self.regulars, self.reserves = create_people(service, shape)
        self.by_id = {player.id: player for player in (*self.regulars, *self.reserves)}
        self.path = ""
        self.seasons = dict[int, Any]()
        """The seasons that are over, and the one drawn last, by number, as the API showed them."""
        self.proposals = dict[int, tuple[Any, list[str]]]()
        """The seasons as their groups were proposed, with the players who had a place then, in the order of entry."""
        self.watch = Watch()
        self.disputes = Disputes(service, self.organiser_token)
        self.tables = dict[str, SimulatedTable]()
        self.refusals = list[str]()
        """Acts of people that the service refused."""
        self._progress = progress
        self._random = Random(f"{shape.seed}/year")
        self._acts = list[tuple[datetime, int, Act]]()
        self._numbers = count()
        self._seen = set[tuple[str, int, int]]()
        self._must_look = True

    def run(self) -> None:
        """Run until the season after the last one is drawn, or until it is too late for it."""
        league = self.service.ask("POST", "/leagues", self.organiser_token, {"plan": plan_of(self.shape)})
        self.path = f"/leagues/{league['leagueId']}"
        while self.service.clock() < self.shape.last_day:
            if LEAGUE_STEP in self.service.settle() or self._must_look:
                self._must_look = False
                if self._observe():
                    return
            self._move_clock()
            self._let_people_act()

    def _move_clock(self) -> None:
        """Move the clock to the next act of a person or of the service."""
        due = self.service.next_due() or self.shape.last_day
        planned = self._acts[0][0] if self._acts else self.shape.last_day
        self.service.clock.move_to(min(planned, due, self.shape.last_day))

    def _let_people_act(self) -> None:
        while self._acts and self._acts[0][0] <= self.service.clock():
            heapq.heappop(self._acts)[2]()

    def _plan(self, at: datetime, act: Act) -> None:
        """Plan an act of a person."""
        heapq.heappush(self._acts, (max(at, self.service.clock()), next(self._numbers), act))

    def _plan_within(self, first: datetime, last: datetime, act: Act) -> None:
        """Plan an act of a person for a random time."""
        self._plan(first + (last - first) * self._random.random(), act)

    def _plan_look(self, at: datetime) -> None:
        def look() -> None:
            self._must_look = True

        self._plan(at, look)

    def _is_new(self, what: str, season: int, round_number: int = 0) -> bool:
        key = (what, season, round_number)
        is_new = key not in self._seen
        self._seen.add(key)
        return is_new

    def _read_season(self, number: int) -> Any:
        return self.service.ask("GET", f"{self.path}/seasons/{number}", "")

    def _observe(self) -> bool:
        """Read the league, and plan the next acts of people; return whether the year is over."""
        league = self.service.ask("GET", self.path, "")
        if not league["seasons"]:
            return False
        listed = league["seasons"][-1]
        number, status = listed["number"], listed["status"]
        if status == "registering":
            self._observe_registration(league)
        else:
            season = self._read_season(number)
            if status == "closed" or number > self.shape.seasons:
                self.seasons[number] = season
            else:
                self._observe_running(season)
        return bool(status == "running" and number > self.shape.seasons)

    def _observe_registration(self, league: Any) -> None:
        number, closes, starts = (league["seasons"][-1][name] for name in ("number", "entryCloses", "starts"))
        if self._is_new("registration", number):
            self._plan_entries(number, self.service.clock(), datetime.fromisoformat(closes))
        elif (season := self._read_season(number))["proposed"] and self._is_new("proposal", number):
            self.proposals[number] = season, [player["id"] for player in league["entered"]]
            for player in self._leavers(number, 0):
                self._plan_within(self.service.clock(), datetime.fromisoformat(starts), self._leaving(player))

    def _plan_entries(self, number: int, opened: datetime, closes: datetime) -> None:
        """Let everyone enter who has not left, people without a place before at the end."""
        placed = {line["player"]["id"] for group in self._groups(number - 1) for line in group["lines"]}
        for player in self.by_id.values():
            if player.has_left:
                continue
            is_regular = player.id in placed if number > 1 else player in self.regulars
            time = (0.0, RESERVES_ENTER) if is_regular else (RESERVES_ENTER, 1.0)
            first, last = (opened + (closes - opened) * part for part in time)
            self._plan_within(first, last, self._entry(number, player))

    def _groups(self, number: int) -> Any:
        return self.seasons[number]["groups"] if number in self.seasons else ()

    def _entry(self, number: int, player: Player) -> Act:
        """Return the act by which a player enters, or accepts the invitation to the season."""

        def enter() -> None:
            if player.has_left:
                return
            league = self.service.ask("GET", self.path, player.token)
            if any(each["player"]["id"] == player.id and each["season"] == number for each in league["invitations"]):
                self._send("POST", f"{self.path}/invitation", player, {"accept": True, "season": number})
            else:
                self._send("POST", f"{self.path}/entries", player, {})

        return enter

    def _send(self, method: str, path: str, player: Player, content: object = None) -> None:
        """Send a request of a person; the service may refuse it."""
        answer = self.service.send(method, path, player.token, content)
        if answer.status >= 300:
            self.refusals.append(f"{player.name}: {method} {path}: {answer.body.decode()}")

    def _leavers(self, season: int, round_number: int) -> list[Player]:
        players = [player for player in self.by_id.values() if player.leaving is not None and not player.has_left]
        return [
            player
            for player in players
            if player.leaving is not None and (player.leaving.season, player.leaving.round) == (season, round_number)
        ]

    def _leaving(self, player: Player) -> Act:
        """Return the act by which a player leaves: a withdrawal, or nothing ever again."""

        def leave() -> None:
            player.has_left = True
            if player.leaving is not None and player.leaving.withdraws:
                self._send("DELETE", f"{self.path}/entries/{player.id}", player)
                self._must_look = True

        return leave

    def _observe_running(self, season: Any) -> None:
        listed = season["season"]
        number, opened = listed["number"], listed["roundsOpened"]
        if self._is_new("running", number):
            self.watch.begin_season()
            self._plan_absences(datetime.fromisoformat(listed["starts"]))
        if opened and self._is_new("round", number, opened):
            self._progress((number - 1) * self.shape.rounds + opened)
            self._plan_round(season, opened)
        for at in self.watch.look(season, self.service.clock(), self.disputes.disputed):
            self._plan_look(at)

    def _plan_absences(self, starts: datetime) -> None:
        """Choose the rounds that people miss in a season, and their holidays."""
        for player in self.by_id.values():
            if player.misses_rounds:
                player.away.append(choose_round(self._random, starts, self.shape.rounds))
            if player.has_holidays:
                holiday = choose_holiday(self._random, starts, self.shape.rounds)
                self._plan(holiday[0] - 2 * DAY, self._holiday(player, holiday))

    def _holiday(self, player: Player, holiday: tuple[datetime, datetime]) -> Act:
        """Return the act by which a player announces a holiday at all tables, now and at later ones."""

        def announce() -> None:
            player.away.append(holiday)
            content = {"begins": int(holiday[0].timestamp()), "ends": int(holiday[1].timestamp()), "partly": True}
            self._send("POST", "/me/holidays", player, content)

        return announce

    def _plan_round(self, season: Any, opened: int) -> None:
        """Plan how the players of a round play their tables."""
        now, number = self.service.clock(), season["season"]["number"]
        for fixture in season["fixtures"]:
            if fixture["round"] == opened and fixture["matchId"] is not None:
                seats = {
                    seat: self.by_id[each["id"]]
                    for seat, each in enumerate(fixture["players"])
                    if each["id"] in self.by_id
                }
                table = SimulatedTable(fixture["matchId"], seats, str(self.shape.seed))
                self.tables[table.match_id] = table
                for player in seats.values():
                    first, last = (now + timedelta(hours=hours) for hours in READY_HOURS)
                    self._plan_within(first, last, self._readiness(table, player))
                first, last = (now + timedelta(hours=hours) for hours in FIRST_DAY_HOURS)
                self._plan_within(first, last, self._day(table, number))
        for player in self._leavers(number, opened):
            self._plan_within(now + DAY, now + timedelta(days=ROUND_DAYS - 1), self._leaving(player))

    def _readiness(self, table: SimulatedTable, player: Player) -> Act:
        return lambda: table.get_ready(self.service, player)

    def _day(self, table: SimulatedTable, season: int) -> Act:
        """Return the act by which the players of a table play for a day, and plan the next one."""

        def play() -> None:
            table.play(self.service)
            if not table.is_over:
                self._plan(self.service.clock() + DAY, play)
                return
            for player in table.seats.values():
                if player.disputes and not player.has_left and player.disputed_season < season:
                    self._plan(self.service.clock() + timedelta(hours=5), self._dispute(table, player, season))
                    break

        return play

    def _dispute(self, table: SimulatedTable, player: Player, season: int) -> Act:
        """Return the act by which a player disputes a table, once in a season."""

        def dispute() -> None:
            if player.disputed_season == season or (dispute_id := self.disputes.open(player, table)) is None:
                return
            player.disputed_season = season

            def settle() -> None:
                self.disputes.settle(dispute_id, player, table)
                self._plan_look(self.service.clock() + LOOK_AGAIN)

            self._plan(self.service.clock() + RULED_AFTER, settle)

        return dispute
