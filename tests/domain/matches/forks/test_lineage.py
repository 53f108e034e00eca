"""The lines of a match: the original, replacements, and who has sat at any of them."""

import pytest

from domain.disputes import commands
from domain.disputes.errors import ArbiterPlays
from domain.eventstore.application import Matches
from domain.eventstore.forks import fork_match
from domain.matches.facts import SERVICE
from domain.matches.forks import lineage
from domain.matches.rulings.measures import LineResumed
from domain.roles.commands import change_role
from tests.domain.disputes.disputing import D, E, M, R, S, W, give_ruling, raise_dispute, start_running_match
from tests.domain.matches.match_helpers import BOT, START, act_once, play_out


def test_a_line_leads_back_to_its_original_line(matches: Matches) -> None:
    match = start_running_match(matches)
    raise_dispute(matches, match.version)
    give_ruling(matches, 100, LineResumed(match.version - 1, ""), line=R)
    plain = fork_match(matches, R, at_version=match.version - 1, new_id=S, luck="fresh", by=SERVICE, at=START)

    assert lineage.root_of(matches, matches.get(R)) == M
    assert lineage.root_of(matches, plain) == S
    assert lineage.official_line(matches, M).id == R


def test_players_of_a_superseded_line_cannot_arbitrate_its_replacement(matches: Matches) -> None:
    """Dora took over Carl's seat; the ruling resumed the match from an earlier entry."""
    match = start_running_match(matches)
    matches.replace_seat(M, 2, SERVICE, actor="dora", at=START)
    change_role(matches, "dora", "arbiter", by=SERVICE, granted=True, at=START)
    last = act_once(matches, matches.get(M)).version
    raise_dispute(matches, last)
    give_ruling(matches, 100, LineResumed(match.version - 1, ""), line=R)
    raise_dispute(matches, matches.get(R).version, id=E, line=R)
    assert "dora" not in matches.get(R).docket.sat

    assert (
        lineage.list_past_players(matches, R)
        == lineage.list_past_players(matches, M)
        == {"anna", "bea", "carl", "dora"}
    )
    with pytest.raises(ArbiterPlays):
        give_ruling(matches, 101, by="dora", id=E)
    with pytest.raises(ArbiterPlays):
        commands.see_hidden(matches, E, by="dora", entry=match.version, at=START)
    with pytest.raises(ArbiterPlays):
        commands.fork_running(
            matches, R, new_line=W, entry=match.version - 1, by="dora", role="arbiter", seats=None, at=START
        )


def test_players_of_the_match_cannot_arbitrate_its_what_ifs_but_players_of_a_what_if_can(matches: Matches) -> None:
    match = start_running_match(matches)
    raise_dispute(matches, match.version)
    commands.what_if(matches, D, new_line=W, entry=match.version, by="art", seats=("art", BOT, BOT), at=START)
    matches.replace_seat(M, 2, SERVICE, actor="dora", at=START)

    again = commands.fork_running(
        matches, W, new_line=S, entry=matches.get(W).version, by="art", role="arbiter", seats=None, at=START
    )

    for line in (W, again.id):
        assert lineage.list_past_players(matches, line) == {"anna", "bea", "carl", "dora"}


def test_an_unfinished_what_if_keeps_no_secrets_closed(matches: Matches) -> None:
    match = start_running_match(matches)
    commands.fork_running(
        matches, M, new_line=W, entry=match.version, by="art", role="arbiter", seats=(BOT,) * 3, at=START
    )
    assert matches.lines.last_closed_version(M) == match.version

    play_out(matches, matches.get(M))

    assert matches.lines.last_closed_version(M) == 0
    assert matches.lines.last_closed_version(W) == matches.get(W).version
