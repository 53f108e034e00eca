"""How ratings are read: ranking lists of now and of any month, a player's ratings and how they moved."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

from domain.kernel.values import replace
from domain.matches.facts import Actor
from domain.matches.log.entries import microseconds
from domain.ratings.ladder import Pool, RankingLine, Rated, RatedResult, ranking
from domain.ratings.models import BASE, model_of
from domain.ratings.rules import RatingRules
from projections.platform.paging import LIMIT, Page, end_of
from projections.platform.store import ReadStore
from projections.ratings.ladders import READ_RULES, RESULT, rules_from
from projections.ratings.told import RATED, TOLD, Moved, after_of, all_moved, moved_of

HISTORY_MAX: Final = 2_000
"""The number of a player's newest changes that are read; a plot shows no more."""
READ_OF_MATCH: Final = (
    "SELECT changes.detail FROM rating_results AS results JOIN rating_changes AS changes"
    " ON changes.title = results.title AND changes.seats = results.seats AND changes.ended = results.ended"
    " AND changes.match_id = results.match_id WHERE results.match_id = ?"
)
"""What a result changed, found through its place in the pool: an index by match id alone would write a page of the
database for every row."""
OF_PLAYER: Final = (
    "FROM rating_players AS players JOIN rating_moves AS moves ON moves.player = players.number"
    " JOIN rating_changes AS changes ON changes.number = moves.change WHERE players.player = ?"
)
"""What changed a player's ratings, in all pools."""
LAST_BEFORE: Final = (
    "SELECT number FROM rating_changes WHERE title = ? AND seats = ? AND (ended, match_id) < (?, ?)"
    " ORDER BY ended DESC, match_id DESC LIMIT 1"
)
READ_STANDING: Final = (
    "SELECT detail FROM rating_changes WHERE number = (SELECT MAX(change) FROM rating_moves WHERE change <= ?"
    " AND player = (SELECT number FROM rating_players WHERE title = ? AND seats = ? AND player = ?))"
)
"""The last result of a player up to a number."""
READ_ALL_STANDING: Final = (
    "SELECT players.player, changes.detail FROM rating_players AS players JOIN rating_changes AS changes"
    " ON changes.number = (SELECT MAX(change) FROM rating_moves WHERE player = players.number AND change <= ?)"
    " WHERE players.title = ? AND players.seats = ? ORDER BY changes.number"
)
"""The same of everybody in a pool."""


def pools(store: ReadStore) -> dict[Pool, int]:
    """Where somebody is rated, and by how many results."""
    rows = store.rows("SELECT title, seats, results FROM rating_pools WHERE results > 0 ORDER BY title, seats")
    return {Pool(title, seats): results for title, seats, results in rows}


def pending(store: ReadStore) -> int:
    """How many results are known and not rated yet, or will be rated again."""
    statement = (
        "SELECT COUNT(*) FROM rating_results AS results JOIN rating_pools AS pools"
        " ON pools.title = results.title AND pools.seats = results.seats"
        " WHERE (results.ended, results.match_id) > (pools.ended, pools.match_id)"
        " OR (results.ended, results.match_id) >= (pools.back_ended, pools.back_match)"
    )
    return int(store.rows(statement)[0][0])


def has_played(store: ReadStore, player: Actor) -> bool:
    """Whether a match of the player was ever rated."""
    return bool(store.rows("SELECT 1 FROM rating_players WHERE player = ? LIMIT 1", player))


def players(store: ReadStore, pool: Pool) -> tuple[Rated, ...]:
    """Everybody rated there, as of each one's last match."""
    statement = "SELECT detail FROM rating_players WHERE title = ? AND seats = ? ORDER BY player"
    return tuple(RATED.decode(row[0]) for row in store.rows(statement, pool.title, pool.seats))


def players_at(store: ReadStore, pool: Pool, period: int) -> tuple[Rated, ...]:
    """The same as of the end of a month."""
    year, month = divmod(period + 1, 12)
    end = microseconds(datetime(year, month + 1, 1, tzinfo=UTC))
    key = (pool.title, pool.seats)
    return tuple(
        after_of(TOLD.decode(detail), player)
        for (last,) in store.rows(LAST_BEFORE, *key, end, "")
        for player, detail in store.rows(READ_ALL_STANDING, last, *key)
    )


def ratings_of(store: ReadStore, player: Actor) -> dict[Pool, Rated]:
    """A player's ratings, wherever there are any."""
    statement = "SELECT title, seats, detail FROM rating_players WHERE player = ? ORDER BY title, seats"
    return {Pool(title, seats): RATED.decode(detail) for title, seats, detail in store.rows(statement, player)}


def rules_in(store: ReadStore) -> RatingRules:
    """Return the rules of rating with their dates."""
    return rules_from(store.rows(READ_RULES.replace("{rating_rules}", "rating_rules")))


def rated_after(store: ReadStore, result: RatedResult) -> tuple[Rated, ...]:
    """How the players of a match stood after it, each once in the order of seats; those whose rating waits are left
    out."""
    found = {moved.after.player: moved.after for moved in moved_by(store, result.match_id)}
    return tuple(found[player] for player in dict.fromkeys(result.players) if player in found)


def moved_by(store: ReadStore, match_id: UUID) -> tuple[Moved, ...]:
    """What a match did to the ratings of its players, in the order of ids; nothing while they wait."""
    found = [
        moved for (detail,) in store.rows(READ_OF_MATCH, str(match_id)) for moved in all_moved(TOLD.decode(detail))
    ]
    return tuple(sorted(found, key=lambda moved: moved.after.player))


def rated_before(store: ReadStore, result: RatedResult) -> tuple[Rated, ...]:
    """How they stood after the last match before it, with those of its table they had met; who had none is left out."""
    found, key = list[Rated](), (result.pool.title, result.pool.seats)
    met = {moved.after.player: moved.met for moved in moved_by(store, result.match_id)}
    for (last,) in store.rows(LAST_BEFORE, *key, microseconds(result.ended_at), str(result.match_id)):
        for player in dict.fromkeys(result.players):
            known = tuple(each for each in met.get(player, ()) if each.matches)
            for (detail,) in store.rows(READ_STANDING, last, *key, player):
                found.append(replace(after_of(TOLD.decode(detail), player), met=known))
    return tuple(found)


def history_page(store: ReadStore, player: Actor, limit: int = LIMIT, before: int | None = None) -> Page[Moved]:
    """What each of a player's rated matches changed, the newest first; the key of one is how many came before it."""
    ((count,),) = store.rows(f"SELECT COUNT(*) {OF_PLAYER}", player)
    end = min(count, end_of(before))
    begin = max(0, end - limit)
    statement = f"SELECT changes.detail {OF_PLAYER} ORDER BY changes.ended, changes.match_id LIMIT ? OFFSET ?"
    moved = [moved_of(TOLD.decode(row[0]), player) for row in store.rows(statement, player, end - begin, begin)]
    return Page(tuple(reversed(moved)), begin or None)


def history_of(store: ReadStore, player: Actor, limit: int = HISTORY_MAX) -> tuple[Moved, ...]:
    """What each of a player's newest rated matches changed, the oldest of them first."""
    statement = f"SELECT changes.detail {OF_PLAYER} ORDER BY changes.ended DESC, changes.match_id DESC LIMIT ?"
    return tuple(moved_of(TOLD.decode(row[0]), player) for row in reversed(store.rows(statement, player, limit)))


def histories(store: ReadStore, pool: Pool, chosen: Sequence[Actor]) -> dict[Actor, tuple[Moved, ...]]:
    """The same of several players of one pool."""
    found = {player: history_of(store, player) for player in chosen}
    return {player: tuple(moved for moved in those if moved.pool == pool) for player, those in found.items()}


def results(store: ReadStore) -> tuple[RatedResult, ...]:
    """Every result that is rated, in the order of rating."""
    rows = store.rows("SELECT detail FROM rating_results ORDER BY ended, match_id")
    return tuple(RESULT.decode(row[0]) for row in rows)


def result_count(store: ReadStore) -> int:
    return int(store.rows("SELECT COUNT(*) FROM rating_results")[0][0])


def list_rated(rated: Iterable[Rated], period: int) -> tuple[RankingLine, ...]:
    """People by place, then bots by theirs: both are rated alike and shown apart."""
    known = tuple(rated)
    model = model_of(BASE)
    people = ranking(model, (one for one in known if not one.is_bot), period)
    return (*people, *ranking(model, (one for one in known if one.is_bot), period))


def list_now(store: ReadStore, pool: Pool, period: int) -> tuple[RankingLine, ...]:
    return list_rated(players(store, pool), period)


def list_at(store: ReadStore, pool: Pool, period: int) -> tuple[RankingLine, ...]:
    """The list as it was at the end of a month."""
    return list_rated(players_at(store, pool, period), period)


def points_of(store: ReadStore, pool: Pool, player: Actor) -> int:
    """What a player's rating there came to at the last match; 0 without one."""
    rated = ratings_of(store, player).get(pool)
    return 0 if rated is None else model_of(BASE).points(rated.skill)


def shown_of(store: ReadStore, player: Actor, period: int) -> dict[Pool, RankingLine]:
    """A player's line in every list that has one."""
    return {
        pool: next(line for line in list_now(store, pool, period) if line.rated.player == player)
        for pool in ratings_of(store, player)
    }
