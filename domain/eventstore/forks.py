"""Fork matches; the store keeps a pointer to the parent's line."""

from datetime import datetime
from uuid import UUID

from domain.eventstore.application import Matches
from domain.eventstore.batch import build_claim
from domain.eventstore.mapper import Forked
from domain.eventstore.retry import retry
from domain.matches.aggregate import Match
from domain.matches.consequences import fork_line
from domain.matches.entropy import server_seed
from domain.matches.errors import ForkRefused
from domain.matches.facts import SERVICE, Actor, Luck
from domain.matches.forks import forking
from domain.matches.play.repeated_commands import same_fork


def fork_match(
    matches: Matches,
    parent_id: UUID,
    *,
    at_version: int,
    new_id: UUID,
    luck: Luck,
    by: Actor,
    at: datetime,
    seats: tuple[Actor | None, ...] | None = None,
    awaits_own_luck: bool = False,
    practice: str = "",
) -> Match:
    """Fork a match after entry `at_version` of its line; the same request again returns the existing fork.

    `seats` default to the bots and `by`. With `awaits_own_luck`, play begins when people have committed to their shares
    of fresh luck. Raise `ForkRefused` for an entry it does not have or a rated match that is not over (the service may
    fork it), `MatchExists` for an id used otherwise, and as `check_forkable` and `forking.fork`.
    """

    def attempt() -> Match:
        parent = matches.get(parent_id)
        if not 1 <= at_version <= parent.version:
            raise ForkRefused(f"match {parent_id} has entries 1 to {parent.version}, not {at_version}")
        base = matches.at(parent_id, at_version)
        forking.check_forkable(base, at_version)
        if not matches.lines.has(base.id):
            raise ForkRefused(f"entry {at_version} belongs to match {base.id}, which is not in this store")
        is_over = matches.get(base.id).is_over
        if base.table.rated and not is_over and by != SERVICE:
            raise ForkRefused(f"match {base.id} is rated and still running; only the service can fork it")
        seed = server_seed(matches.entropy, new_id)
        fork_seats = forking.default_seats(base, by) if seats is None else seats
        awaited_seats = forking.list_people_seats(base, fork_seats) if awaits_own_luck and luck == "fresh" else ()
        fact = forking.fork(
            base,
            luck=luck,
            by=by,
            seats=fork_seats,
            seed=seed,
            parent_is_over=is_over,
            awaits=awaited_seats,
            practice=practice,
        )
        if matches.lines.has(new_id):
            return same_fork(matches.lines, new_id, fact)
        is_counted = at_version <= matches.lines.last_closed_version(base.id)
        note = matches.build_note(base.id, Forked(new_id, at_version, is_counted), at)
        match, entries = fork_line(base, fact, new_id, at)
        return matches.store(match, entries, note, build_claim(new_id, at))

    return retry(attempt)
