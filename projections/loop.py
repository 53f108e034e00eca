"""The follower loop: reads the log in order; every follower writes rows and position in one transaction.

No entry is skipped or counted twice: a position moves only in the transaction of its rows, and only from the position
before. Followers at the same position write in one transaction, which costs as much as a single one; if one of them
fails, each writes separately. A follower that fails keeps its position and retries; the others continue.

With read models at a server several processes lead the same followers: each of them the places that it is told to
(`projections.platform.lanes`). Two that lead the same place for a moment do no harm: the second finds its position
moved.
"""

import time
from collections.abc import Callable, Sequence
from typing import Final

import structlog

from projections.follow import (
    AnyFollower,
    FollowedStep,
    FollowedSteps,
    Happening,
    Log,
    Postponing,
    enrol,
    lead_of,
    slices_of,
)
from projections.platform.backoff import Backoff, Failures
from projections.platform.rings import Advanced, Appended, Ring
from projections.platform.slices import place_name, slice_of
from projections.platform.store import Moved, ReadStore, Stand, Transaction

RETRIES: Final = Backoff(0.1, 5.0)
"""Seconds until a follower that failed tries again."""
SETTLE_SECONDS: Final = 1.0
"""A slice in which nothing happens writes its position down this often: whoever goes on from an older one reads what
does not concern it once more."""

logger = structlog.get_logger("follower")


class FollowerPlace:
    """Where a follower stands, or a slice of it; what it reads the log with, and when it may try again."""

    def __init__(self, follower: AnyFollower, slice_: int | None, position: int) -> None:
        self.follower: Final = follower.NAME
        self.shape: Final = follower.SHAPE
        self.slice: Final = slice_
        self.name: Final = place_name(follower.NAME, slice_)
        self.lane: Final = follower.NAME if slice_ is None else f"slice {slice_}"
        """What has to be led so that it is led."""
        self.postponing = follower if isinstance(follower, Postponing) else None
        self._lead = lead_of(follower)
        self.steps: FollowedSteps | None = None
        self.failures = Failures(RETRIES)
        self.is_led = True
        self.stand(position)

    def stand(self, position: int) -> None:
        """There, as the store says."""
        self.position = self.stored = position
        self.settled_at = time.monotonic()
        self.has_more = True
        """Whether it may have put work off: nobody is asked in vain again and again."""
        self.resting_until = 0.0

    @property
    def kept(self) -> Stand:
        """Where the store has it, as far as is known here."""
        return Stand(self.name, self.shape, self.stored)

    def concerned(self, happenings: Sequence[Happening]) -> Sequence[Happening]:
        """What of it is this place's to follow."""
        if self.slice is None:
            return happenings
        return [
            happening
            for happening in happenings
            if isinstance(happening, FollowedStep) and slice_of(happening.line_id) == self.slice
        ]

    def lead(self, transaction: Transaction, happenings: Sequence[Happening]) -> None:
        if happenings or self.slice is None:
            self._lead(transaction, happenings)

    def read(self, position: int) -> None:
        """Nothing up to there concerned it."""
        self.position = position
        self.failures.succeed()
        self.resting_until = 0.0

    def come(self, position: int) -> None:
        """What it follows is written up to there."""
        self.read(position)
        self.stored, self.has_more, self.settled_at = position, True, time.monotonic()

    def fail(self, now: float) -> None:
        self.resting_until = now + self.failures.fail()


def ids_of(happenings: Sequence[Happening]) -> tuple[str, ...]:
    """Whose rows these change: those of matches, of the tournament or league of each, of streams of records."""
    found = dict[str, None]()
    for happening in happenings:
        if isinstance(happening, FollowedStep):
            found |= {str(happening.line_id): None, happening.match.table.event_id: None}
        else:
            found[str(happening.record.stream_id)] = None
    found.pop("", None)
    return tuple(found)


class Loop:
    """Leads its followers along the log, those that stand together as one; `on_advance` is told what was written."""

    def __init__(
        self,
        log: Log,
        store: ReadStore,
        followers: Sequence[AnyFollower],
        *,
        on_advance: Callable[[Advanced], None] | None = None,
    ) -> None:
        self._log = log
        self._store = store
        self._on_advance = on_advance
        self._compared_at = time.monotonic()
        for follower in followers:
            enrol(store, follower)
        self.places = [
            FollowerPlace(follower, slice_, store.position(place_name(follower.NAME, slice_)))
            for follower in followers
            for slice_ in slices_of(follower, store.slices)
        ]

    @property
    def lanes(self) -> tuple[str, ...]:
        """What may be led by different processes."""
        return tuple(dict.fromkeys(place.lane for place in self.places))

    def lead(self, lanes: frozenset[str]) -> None:
        """From now on these, and nothing else. What is new among them begins where the last one left it."""
        for place in self.places:
            is_led = place.lane in lanes
            if is_led and not place.is_led:
                self._look_again(place)
            place.is_led = is_led

    def leads(self, lane: str) -> bool:
        return any(place.is_led and place.lane == lane for place in self.places)

    def is_concerned(self, ring: Ring | None) -> bool:
        """Whether something that is led here may have to follow what has grown; without a ring, or where it names no
        streams, it may. Who leads nothing but slices is not concerned by the lines of others, and reads them later,
        when they look anyway. From any thread: whoever is given a lane looks at once, whatever was rung before."""
        if not isinstance(ring, Appended) or ring.is_cut:
            return True
        slices = {place.slice for place in self.places if place.is_led}
        return None in slices or any(slice_of(stream_id) in slices for stream_id in ring.versions)

    @property
    def slices(self) -> frozenset[int]:
        """The slices that are led here; 0 is the only one where nothing is divided."""
        if self._store.slices == 1:
            return frozenset({0})
        return frozenset(place.slice for place in self.places if place.is_led and place.slice is not None)

    def advance(self) -> bool:
        """One batch for everybody, the foremost first: nobody waits for those who are behind. Whether anybody moved."""
        now = time.monotonic()
        if now - self._compared_at >= SETTLE_SECONDS:
            self._compare()
        groups: dict[int, list[FollowerPlace]] = {}
        ready = [place for place in self.places if place.is_led and place.resting_until <= now]
        for place in ready:
            groups.setdefault(place.position, []).append(place)
        # All of them, not only until one has moved.
        moved = [self._lead(position, groups[position]) for position in sorted(groups, reverse=True)]
        worked = [self._go_on(place) for place in ready if place.resting_until <= now]
        self._settle([place for place in ready if now - place.settled_at >= SETTLE_SECONDS])
        return any(moved) or any(worked)

    def catch_up(self) -> None:
        """Goes on until nobody gets any further."""
        self._compare()
        while self.advance():
            pass
        self._settle([place for place in self.places if place.is_led])

    def _compare(self) -> None:
        """Whoever was set back by a rebuild goes on from there. One that is led as a whole finds it out when it writes;
        a slice in which nothing happens would not."""
        self._compared_at = time.monotonic()
        if self._store.slices == 1:
            return
        stands = self._store.places()
        for place in self.places:
            if place.is_led and place.stored != stands.get(place.name, place.stored):
                place.stand(stands[place.name])

    def _lead(self, position: int, group: list[FollowerPlace]) -> bool:
        reader = group[0].steps or FollowedSteps(self._log)
        told = len(reader.passed_over)
        slices = [place.slice for place in group]
        wanted = None if None in slices else frozenset(each for each in slices if each is not None)
        steps, end = reader.after(position, wanted=wanted)
        for stream, why in list(reader.passed_over.items())[told:]:
            logger.error("passed over", stream=str(stream), why=why)
        work = [(place, place.concerned(steps)) for place in group]
        writing = [(place, concerned) for place, concerned in work if concerned or place.slice is None]
        came_along = end == position or not writing or self._write_together(writing, end)
        for place, concerned in work:
            if not concerned and place.slice is not None:
                place.read(end)
                place.steps = reader
            else:
                # A follower that did not come along reads for itself: the shared matches are ahead of it.
                place.steps = reader if came_along or self._write(place, concerned, end) else None
        return end != position

    def _settle(self, places: Sequence[FollowerPlace]) -> None:
        """Writes down how far these have read without being concerned."""
        behind = [place for place in places if place.stored != place.position and place.resting_until == 0.0]
        if not behind:
            return
        try:
            with self._store.following() as transaction:
                for place in behind:
                    transaction.move(place.kept, place.position)
        except Moved:
            for place in behind:
                self._look_again(place)
        else:
            for place in behind:
                place.stored, place.settled_at = place.position, time.monotonic()

    def _go_on(self, place: FollowerPlace) -> bool:
        """One slice of the work a follower has put off, in a transaction of its own; whether there was any."""
        if place.postponing is None or not place.has_more:
            return False
        try:
            with self._store.following(rewrites=True) as transaction:
                transaction.move(place.kept, place.stored)
                place.has_more = place.postponing.go_on(transaction)
        except Moved:
            self._look_again(place)
            return False
        except Exception:
            place.fail(time.monotonic())
            logger.exception("cannot go on", follower=place.name, failures=place.failures.count)
            return False
        if place.has_more:
            self._tell([place], ())
        return place.has_more

    def _write_together(self, work: Sequence[tuple[FollowerPlace, Sequence[Happening]]], position: int) -> bool:
        """Rows and positions of all that stand together; whether they came along. Of those that did not, nothing is
        written: it shows when each writes alone who could not, and why."""
        places = [place for place, _ in work]
        try:
            with self._store.following() as transaction:
                transaction.move_all([place.kept for place in places], position)
                for place, steps in work:
                    place.lead(transaction, steps)
        except Exception:
            return False
        for place in places:
            place.come(position)
        concerned = {id(step): step for _, steps in work for step in steps}
        self._tell(places, tuple(concerned.values()))
        return True

    def _write(self, place: FollowerPlace, steps: Sequence[Happening], position: int) -> bool:
        """Rows and position of one follower; whether it came along."""
        try:
            with self._store.following() as transaction:
                # First the position: where somebody else has moved it, the rows are written already.
                transaction.move(place.kept, position)
                place.lead(transaction, steps)
        except Moved:
            self._look_again(place)
            return False
        except Exception:
            place.fail(time.monotonic())
            failures = place.failures.count
            logger.exception("cannot follow", follower=place.name, position=place.position, failures=failures)
            return False
        place.come(position)
        self._tell([place], steps)
        return True

    def _look_again(self, place: FollowerPlace) -> None:
        """It goes on from where the store says: a rebuild has put its tables in the place of ours, or somebody else has
        led it. Where they have another shape a process of another version leads it, and this one waits."""
        stand = self._store.stand(place.name, place.shape)
        if stand is None:
            place.fail(time.monotonic())
            logger.error("tables of another shape are not written", follower=place.name, shape=place.shape)
        else:
            place.stand(stand.position)

    def _tell(self, group: Sequence[FollowerPlace], steps: Sequence[Happening]) -> None:
        """After the transaction: whoever is woken by it finds the rows."""
        if self._on_advance is not None:
            self._on_advance(Advanced({place.follower: place.position for place in group}, ids_of(steps)))
