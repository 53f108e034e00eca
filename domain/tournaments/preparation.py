"""Preparation of the next round: its stage, its players and the pairing problem."""

from collections.abc import Mapping
from typing import Final

from domain.contests.entry_clubs import club_key
from domain.contests.prizes import BY_PLACE
from domain.kernel.texts import name_key
from domain.matches.facts import Actor
from domain.pairing.problem import Entrant, Past, Problem, sizes_for
from domain.pairing.schedules import schedule_rounds
from domain.standings.contest import ROUNDS_MAX, Stage
from domain.standings.counted import counted_table, rounds_of_entries
from domain.standings.ranking import counted_stages, standings
from domain.standings.results import PlayedRound, Results, missing_from, result_of
from domain.tournaments import facts
from domain.tournaments.availability import away_players
from domain.tournaments.errors import TournamentRefused
from domain.tournaments.plan import Plan
from domain.tournaments.registration import require_not_ended
from domain.tournaments.state import Round, Tournament

WAYS: Final = {
    "swiss": "tables",
    "heats": "tables",
    "round_robin": "design",
    "elimination": "bracket",
    "final": "bracket",
}


def stage_rounds(state: Tournament, stage: int) -> tuple[Round, ...]:
    """Return the public rounds of a stage."""
    return tuple(each for each in state.rounds if each.stage == stage and each.is_public)


def stage_people(state: Tournament, stage: int) -> tuple[str, ...]:
    """Return the entries paired in the first round of a stage, absent ones included, in order of entry."""
    rounds = stage_rounds(state, stage)
    first = set(rounds[0].people) | set(rounds[0].problem.absent) if rounds else set()
    return tuple(entry.id for entry in state.entries if entry.id in first)


def lives_lost(state: Tournament, stage: int, results: Results) -> dict[str, int]:
    """Return the lives that each player of an elimination has lost: rounds not advanced from, or missed.

    Void and unfinished tables take no life.
    """
    counts = dict.fromkeys(stage_people(state, stage), 0)
    advance = state.plan.stages[stage].advance
    for each in stage_rounds(state, stage):
        for table in each.tables:
            result = result_of(table, results)
            if result is None or result.void:
                continue
            counted = counted_table(table, result, state.plan.standings)
            for name, place in zip(table.entries, counted.places, strict=True):
                if place > min(advance, len(table.entries) - 1) or name in counted.missing:
                    counts[name] += 1
    return counts


def surviving_players(state: Tournament, stage: int, results: Results) -> tuple[str, ...]:
    """Return the players left in an elimination, in order of entry; withdrawn ones are left out."""
    lost_lives = lives_lost(state, stage, results)
    lives = state.plan.stages[stage].lives
    return tuple(name for name in lost_lives if lost_lives[name] < lives and is_in(state, name))


def is_in(state: Tournament, name: str) -> bool:
    """Return whether an entry is in the event."""
    entry = state.entry(name)
    return entry is not None and entry.status == "in"


def is_stage_over(state: Tournament, stage: int, results: Results) -> bool:
    """Return whether all rounds of a stage are played: an elimination after its final, or with one player left."""
    rounds, plan = stage_rounds(state, stage), state.plan.stages[stage]
    if plan.kind == "elimination":
        last = rounds[-1]
        is_final = len(last.tables) == 1 and not last.byes
        return is_final or len(surviving_players(state, stage, results)) < 2
    if plan.kind == "round_robin" and plan.rounds == 0:
        return len(rounds) >= rounds[0].problem.rounds
    return len(rounds) >= max(1, plan.rounds)


def next_stage(state: Tournament, results: Results) -> int | None:
    """Return the index of the stage of the next round, or None if all stages are over."""
    if not stage_rounds(state, 0):
        return 0
    stage = max(each.stage for each in state.played_rounds)
    if not is_stage_over(state, stage, results):
        return stage
    return stage_after(state.plan, stage)


def stage_after(plan: Plan, stage: int) -> int | None:
    """Return the index of the stage after another one, or None for the last."""
    return stage + 1 if stage + 1 < len(plan.stages) else None


def possible_stages(state: Tournament) -> frozenset[int | None]:
    """Return the stages that the next round can have by any results; None is the end of the tournament.

    Only the end of an elimination depends on them.
    """
    stage = next_stage(state, {})
    is_open = stage is not None and state.plan.stages[stage].kind == "elimination" and stage_rounds(state, stage)
    return frozenset({stage, stage_after(state.plan, stage)} if stage is not None and is_open else {stage})


def players_of_next_round(state: Tournament, stage: int, results: Results, number: int) -> tuple[str, ...]:
    """Return the players of the next round: of the running stage, or the qualifiers, best first, for a new one.

    The first stage takes all entries with a place that may play from this round; withdrawn players are left
    out.
    """
    kind = state.plan.stages[stage].kind
    if stage_rounds(state, stage):
        if kind == "elimination":
            return surviving_players(state, stage, results)
        if stage > 0 or kind == "round_robin":
            return tuple(name for name in stage_people(state, stage) if is_in(state, name))
    if stage == 0:
        return tuple(each.id for each in state.entries if each.status == "in" and each.from_round <= number)
    order = [row.entry for row in standings(state, results) if row.stage == stage - 1 and is_in(state, row.entry)]
    qualifier_count = state.plan.stages[stage].cut or (state.plan.size if kind == "final" else len(order))
    return tuple(order[:qualifier_count])


def paired_players(state: Tournament, stage: int, results: Results, number: int) -> tuple[str, ...]:
    """Return the players of the next round who get a table or a bye.

    Players who are away do not, except in an elimination or a final, where they keep their seats.
    """
    people = players_of_next_round(state, stage, results, number)
    away = away_players(state, number) if state.plan.stages[stage].kind not in BY_PLACE else frozenset()
    return tuple(name for name in people if name not in away)


def missing_player_count(state: Tournament, results: Results) -> int:
    """Return how many more players the next round needs; 0 if there are enough or no round follows."""
    stage = next_stage(state, results)
    if stage is None:
        return 0
    plan, count = state.plan, len(paired_players(state, stage, results, len(state.played_rounds) + 1))
    is_whole = plan.stages[stage].kind == "round_robin"
    enough = max(2, count)
    while not is_whole and not sizes_for(enough, plan.size, plan.smallest, plan.leftover)[0]:
        enough += 1
    return enough - count


def prepare_problem(
    state: Tournament,
    results: Results,
    by: Actor,
    *,
    locked: tuple[tuple[str, ...], ...] = (),
    byes: tuple[str, ...] = (),
    again: int = 0,
) -> facts.PairingAsked:
    """Return the pairing problem of the next round; another number in `again` draws another lot.

    Raise `TournamentRefused` if no round can follow now: the last one is not closed, all stages are over, too
    few players are left, `ROUNDS_MAX` is reached, or the event has ended.
    """
    require_not_ended(state)
    last = state.round
    if last is not None and last.status in {"published", "opened"}:
        raise TournamentRefused(f"round {last.number} is not closed")
    number = len(state.played_rounds) + 1
    stage = next_stage(state, results)
    if stage is None:
        raise TournamentRefused("all stages have been played")
    if number > ROUNDS_MAX:
        raise TournamentRefused(f"an event has at most {ROUNDS_MAX} rounds")
    people = paired_players(state, stage, results, number)
    if len(people) < 2:
        raise TournamentRefused(f"a round needs at least two players, not {len(people)}")
    plan = state.plan
    kind = plan.stages[stage].kind
    if kind != "round_robin" and not locked and not sizes_for(len(people), plan.size, plan.smallest, plan.leftover)[0]:
        raise TournamentRefused(
            f"{len(people)} players do not fill a table of {plan.size}, and the event does not allow smaller tables"
        )
    stage_round = len(stage_rounds(state, stage)) + 1
    everybody = people
    if kind == "round_robin":
        is_first = stage_round == 1
        everybody = players_of_next_round(state, stage, results, number) if is_first else stage_people(state, stage)
    problem = Problem(
        entrants=entrants(state, results, stage, everybody),
        size=plan.size,
        smallest=plan.smallest,
        leftover=plan.leftover,
        forbidden=pairs_among(state.forbidden, people),
        wished=pairs_among(state.wished, people),
        locked=locked,
        byes=byes,
        absent=tuple(name for name in everybody if name not in people),
        round=stage_round,
        rounds=rounds_of(plan.stages[stage], len(everybody), plan.size),
        seed=seed_of(plan, number, again),
    )
    return facts.PairingAsked(by, number, stage, problem, way_of(plan, stage))  # type: ignore[arg-type]  # values of WAYS


def seed_of(plan: Plan, number: int, again: int = 0) -> int:
    """Return the seed of the lots of a round; another number in `again` gives another one."""
    return (plan.seed * 1_000_003 + number * 1_009 + again) % 2**31


def way_of(plan: Plan, stage: int) -> str:
    """Return how the rounds of a stage are paired."""
    kind = plan.stages[stage].kind
    return "dutch" if kind == "swiss" and plan.size == 2 else WAYS[kind]


def rounds_of(stage: Stage, players: int, size: int) -> int:
    """Return the number of rounds of a stage, for a round robin by its schedule; 0 if not known yet."""
    if stage.kind != "round_robin" or stage.rounds:
        return stage.rounds
    return min(ROUNDS_MAX, schedule_rounds(players, size))


def pairs_among(pairs: tuple[tuple[str, str], ...], people: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Return the pairs in which both play."""
    return tuple(pair for pair in pairs if set(pair) <= set(people))


def entrants(state: Tournament, results: Results, stage: int, people: tuple[str, ...]) -> tuple[Entrant, ...]:
    """Return the players of a pairing problem with scores, ranks, clubs, families and past rounds, in order of entry.

    Only Swiss stages count scores, and eliminations lives lost, except at their final table.
    """
    games, plan = rounds_of_entries(state, results), state.plan.stages[stage]
    counted = counted_stages(state, stage)
    ranks = ranks_for(state, results)
    lost_lives = lives_lost(state, stage, results) if plan.kind == "elimination" else {}
    # Everyone left fits at one table, so it is the final, regardless of lives lost.
    is_final = len(people) <= state.plan.size
    pasts = past_rounds(state, games, results)
    prepared = []
    for entry in state.entries:
        if entry.id in people:
            score = sum(game.points for game in games[entry.id] if game.stage in counted) - entry.penalty
            prepared.append(
                Entrant(
                    entry.id,
                    max(0, score) if plan.kind == "swiss" else 0,
                    ranks[entry.id],
                    club_key(entry.club_id, entry.club),
                    name_key(entry.family),
                    pasts[entry.id],
                    0 if is_final else lost_lives.get(entry.id, 0),
                )
            )
    return tuple(prepared)


def ranks_for(state: Tournament, results: Results) -> dict[str, int]:
    """Return every entry's rank, from 1; entries without a standing follow, by seeding, unseeded by order of entry."""
    rows = [row.entry for row in standings(state, results)] if state.played_rounds else []
    ranked = set(rows)
    others = sorted(
        (entry for entry in state.entries if entry.id not in ranked),
        key=lambda entry: (entry.seeding == 0, entry.seeding, int(entry.id.removeprefix("e"))),
    )
    return {name: at for at, name in enumerate([*rows, *(entry.id for entry in others)], start=1)}


def past_rounds(
    state: Tournament, games: Mapping[str, list[PlayedRound]], results: Results
) -> dict[str, tuple[Past, ...]]:
    """Return each entry's past rounds as the pairing needs them, unfinished ones included.

    A round without a bye or a place at a table is an empty `Past`; absent entries have neither met nor been
    met.
    """
    earned = {name: {game.round: game.points for game in rounds} for name, rounds in games.items()}
    before = dict.fromkeys(games, 0)
    by_entry: dict[str, list[Past]] = {name: [] for name in games}
    for each in state.played_rounds:
        round_pasts = {name: Past() for name in games} | {name: Past(is_bye=True) for name in each.byes}
        for table in each.tables:
            missing = missing_from(table, result_of(table, results), state.plan.standings)
            present = [name for name in table.entries if name not in missing]
            for seat, name in enumerate(table.entries):
                if name in present:
                    others = tuple(other for other in present if other != name)
                    best = max((before[other] for other in others), default=before[name])
                    floated = (best > before[name]) - (best < before[name])
                    round_pasts[name] = Past(others, seat, len(table.entries), floated)
        for name, past in round_pasts.items():
            by_entry[name].append(past)
            before[name] += earned[name].get(each.number, 0)
    return {name: tuple(pasts) for name, pasts in by_entry.items()}
