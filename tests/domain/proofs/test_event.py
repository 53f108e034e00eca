"""The proof of a tournament verifies, and every attack on it is found and named."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from domain.eventstore.application import Matches
from domain.eventstore.log_files import export_log
from domain.kernel.values import replace
from domain.matches.log.entries import redact
from domain.matches.log.log_files import log_of
from domain.proofs.act_texts import OWN, UNSIGNED
from domain.proofs.event import RATINGS_BEFORE, UNSIGNED_ROLES, EventReport, substitutes_in, verify_event
from domain.proofs.event_file import ClaimedResults, EventFile, event_bytes, parse_event
from domain.proofs.match_file import proof_bytes
from domain.tournaments import facts
from domain.tournaments.state import TOURNAMENT
from domain.transparency.policy import policy_of_keys
from tests.domain.matches.match_helpers import ALL_TITLES, BOT, play_out, start_match, uuid
from tests.domain.proofs.match_proofs import STRANGER, WITNESS
from tests.domain.proofs.tournament_proofs import (
    CUP,
    SIGNER,
    Notary,
    build_invented_file,
    compute_claims,
    cup_file,
    cup_in,
    forged_records,
    log_in,
    played_cup,
    played_hall,
    tables_of,
)

TRUST: Final = policy_of_keys((SIGNER.key, WITNESS.key))
OTHER: Final = uuid(900)


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Matches:
    """Return a tournament whose officials sign, with another match of the same people."""
    matches = played_cup(tmp_path_factory.mktemp("cup"))
    play_out(matches, start_match(matches, OTHER, ("anna", "bea")))
    return matches


@pytest.fixture(scope="module")
def unsigned_cup(tmp_path_factory: pytest.TempPathFactory) -> Matches:
    """Return a tournament without keys, whose records the service could change unnoticed outside of the tree."""
    return played_cup(tmp_path_factory.mktemp("unsigned"), keyed=False)


@pytest.fixture(scope="module")
def parts(cup: Matches) -> list[bytes]:
    return cup_file(cup)


def verify_parts(parts: list[bytes]) -> EventReport:
    return verify_event(b"".join(parts), titles=ALL_TITLES, trust=TRUST)


def find_fault(parts: list[bytes]) -> tuple[str, str]:
    """Return the part and the reason of the fault."""
    fault = verify_parts(parts).fault
    assert fault is not None
    return fault.part, fault.why


def change_first_part(parts: list[bytes], change: Callable[[EventFile], EventFile]) -> list[bytes]:
    """Return the file with the part before the matches changed."""
    return [event_bytes(change(parse_event(parts[0]))), *parts[1:]]


def saying(parts: list[bytes], change: Callable[[ClaimedResults], ClaimedResults]) -> list[bytes]:
    return change_first_part(parts, lambda event: event._replace(said=change(event.said)))


def test_a_whole_tournament_is_recomputed(cup: Matches, parts: list[bytes]) -> None:
    report = verify_parts(parts)

    assert report.is_good, report.fault
    assert (report.matches, report.name) == (4, "Cup")
    assert report.standings == compute_claims(cup).standings
    assert (report.orders_signed, report.ratings_checked) == (8, 6)
    assert report.proof is not None
    assert any("inclusion" in each for each in report.proof.checked)
    own = OWN.format(what="entry_made in records 2, 3, 4, 5")
    assert {own, RATINGS_BEFORE} <= set(report.unchecked)
    assert not any("trust" in each or "grants" in each for each in report.unchecked)


def test_without_keys_the_unproved_statements_are_listed(unsigned_cup: Matches) -> None:
    report = verify_event(b"".join(cup_file(unsigned_cup)), titles=ALL_TITLES)

    assert report.is_good, report.fault
    assert UNSIGNED.format(count=5, all=5) in report.unchecked
    assert RATINGS_BEFORE not in report.unchecked
    assert UNSIGNED_ROLES.format(count=3) in report.unchecked


@pytest.mark.parametrize("field", ["points", "rank", "tie_breaks", "played", "wins", "penalty", "entry"])
def test_altered_standings_are_found(parts: list[bytes], field: str) -> None:
    """The service gives a player an additional point, or another place."""

    def alter(claims: ClaimedResults) -> ClaimedResults:
        first = claims.standings[0]
        value = {"tie_breaks": (1, 2, 3, 4, 5), "entry": claims.standings[1].entry}.get(field, -1)
        return replace(claims, standings=(replace(first, **{field: value}), *claims.standings[1:]))

    part, why = find_fault(saying(parts, alter))
    assert part == "tournament"
    assert "should be" in why or "expected" in why


def test_omitted_players_are_found(parts: list[bytes]) -> None:
    _, why = find_fault(saying(parts, lambda claims: replace(claims, standings=claims.standings[:-1])))
    assert why == "the standings have 4 players, not 3"


def change_rating(claims: ClaimedResults, at: int, **fields: Any) -> ClaimedResults:
    ratings = list(claims.ratings)
    ratings[at] = replace(ratings[at], **fields)
    return replace(claims, ratings=tuple(ratings))


def better(rated: Any) -> Any:
    return replace(rated, skill=replace(rated.skill, mean=rated.skill.mean + 1))


def test_altered_ratings_are_found(parts: list[bytes]) -> None:
    claims = parse_event(parts[0]).said
    last = claims.ratings[-1]
    cases: list[tuple[ClaimedResults, str]] = [
        (
            change_rating(claims, 0, after=(better(claims.ratings[0].after[0]), *claims.ratings[0].after[1:])),
            "the ratings after match",
        ),
        (change_rating(claims, 0, after=claims.ratings[0].after[:1]), "the ratings after match"),
        (replace(claims, ratings=claims.ratings[1:]), "3 matches are rated"),
        (change_rating(claims, -1, before=tuple(map(better, last.before))), "differs from the previous match"),
        (change_rating(claims, -1, before=()), "differs from the previous match"),
        (
            change_rating(claims, -1, before=(replace(last.before[0], matches=0), *last.before[1:])),
            "differs from the previous match",
        ),
        (change_rating(claims, 0, before=(replace(last.before[0], player="zoe"),)), "are not those of its players"),
        (replace(claims, fair_since=None, revised_since=None), "matches are rated"),
    ]
    for altered, expected in cases[:-1]:
        part, why = find_fault(change_first_part(parts, partial(EventFile._replace, said=altered)))
        assert (part, expected in why) == ("tournament", True), why


def test_ratings_changed_by_other_matches_are_accepted(parts: list[bytes]) -> None:
    """The number of matches shows that a player has played elsewhere."""
    claims = parse_event(parts[0]).said
    last = claims.ratings[-1]
    before = tuple(replace(rated, matches=rated.matches + 5) for rated in last.before)
    _, why = find_fault(saying(parts, lambda _: change_rating(claims, -1, before=before)))
    assert "the ratings after match" in why


def fewer(parts: list[bytes], *remaining: bytes) -> list[bytes]:
    """Return the file with only these matches, and a matching header."""
    count = len(remaining)
    return [
        *change_first_part(parts, lambda event: event._replace(header=replace(event.header, matches=count)))[:1],
        *remaining,
    ]


def test_every_match_has_its_table(cup: Matches, parts: list[bytes]) -> None:
    first, second, third, fourth = parts[1:]
    other = proof_bytes(Notary(cup).match(export_log(cup, OTHER, "all", at=cup.get(OTHER).timestamp)))

    assert "is missing or out of order" in find_fault(fewer(parts, first, third, fourth))[1]
    assert find_fault(fewer(parts, second, first, third, fourth))[0] == "round 1 table 1"
    assert find_fault(fewer(parts, first, other, third, fourth))[0] == "round 1 table 2"
    assert find_fault(fewer(parts, *parts[1:], other)) == (
        "tournament",
        "1 of the matches belong to no table or are out of order",
    )
    # The organiser has ruled on the last table, so its match is optional.
    assert verify_parts(fewer(parts, first, second, third)).is_good


def test_a_match_must_be_complete_and_by_the_same_checkpoint(cup: Matches, parts: list[bytes]) -> None:
    root = tables_of(cup, 1)[1]
    log = log_in(cup, root)
    closed = log_of(tuple(redact(entry, None) for entry in log.entries), None)
    redacted = proof_bytes(Notary(cup).match(closed))
    elsewhere = proof_bytes(Notary(cup, (WITNESS, STRANGER)).match(log))

    assert find_fault([*parts[:2], redacted, *parts[3:]]) == ("round 1 table 2", "its log is redacted")
    assert "its checkpoint differs from the tournament's" in find_fault([*parts[:2], elsewhere, *parts[3:]])[1]


def test_a_false_match_is_blamed_at_its_entry(parts: list[bytes]) -> None:
    damaged = bytearray(parts[2])
    offset = damaged.index(b'"salt"', damaged.rindex(b'"leaf":') - 400)
    damaged[offset + 10] ^= 1
    fault = verify_parts([*parts[:2], bytes(damaged), *parts[3:]]).fault
    assert fault is not None
    assert fault.part == "round 1 table 2"


def version_of(matches: Matches, kind: str) -> int:
    return next(each.version for each in matches.streams.records(CUP) if each.tag == f"tournament.{kind}")


def forge(matches: Matches, kind: str, change: Callable[[Any], Any]) -> list[bytes]:
    """Return the proof by a service that has rewritten the history of the tournament, with tree and checkpoint."""
    records = matches.streams.records(CUP)
    notary = Notary(matches, instead=forged_records(records, version_of(matches, kind), change))
    return cup_file(matches, notary)


@pytest.mark.parametrize(
    ("kind", "change", "why"),
    [
        ("result_ruled", lambda body: body.update(scores=[3, 7], places=[2, 1]), "invalid signature of 'olga'"),
        ("penalty_given", lambda body: body.update(sixtieths=0), "invalid signature of 'olga'"),
        ("penalty_given", lambda body: body.pop("signed"), "'olga' must sign as an official"),
        ("penalty_given", lambda body: body.update(by="zoe"), "'zoe' was not an organiser"),
        (
            "penalty_given",
            lambda body: body["signed"].update(key="00" * 32),
            ", which is not a key of 'olga' in any role",
        ),
        ("penalty_given", lambda body: body["signed"].update(version=99), "signed together with record 100"),
        ("penalty_given", lambda body: body["signed"].update(version=1), "signed together with record 2"),
        ("round_closed", lambda body: body.update(by="service"), "not a key of 'service'"),
        ("entry_made", lambda body: body.update(actor="zoe"), "'anna' was not an organiser"),
        ("entry_made", lambda body: body.update(actor="zoe", by="zoe"), "invalid signature of 'olga'"),
        ("entry_made", lambda body: body.update(extra=1), "is not a fact of a tournament"),
        ("entry_made", lambda body: body.update(seeding=0), "not the canonical encoding"),
        ("round_published", lambda body: body.update(round=9), "there is no round 9"),
        ("pairing_proposed", lambda body: body.update(reasons=[]), "not possible in a tournament ("),
        ("tournament_opened", lambda body: body.update(type="tournament.announced", text="", plan=None), "fact of"),
    ],
)
def test_rewritten_records_are_found(cup: Matches, kind: str, change: Callable[[Any], Any], why: str) -> None:
    part, found = find_fault(forge(cup, kind, change))
    assert (part, why in found) == ("tournament", True), found


def test_a_tournament_is_opened_once_and_has_ended(cup: Matches, parts: list[bytes]) -> None:
    opening = cup.streams.records(CUP)[0].body

    def again(body: Any) -> None:
        body.clear()
        body.update(msgspec.json.decode(opening))

    assert "the tournament must be opened first, and only once" in find_fault(forge(cup, "entry_made", again))[1]
    short = cup_file_upto(cup, version_of(cup, "tournament_ended") - 1)
    assert find_fault(short) == ("tournament", "the tournament has not ended")


def cup_file_upto(matches: Matches, upto: int) -> list[bytes]:
    notary = Notary(matches)
    roots = [root for last in cup_in(matches).rounds for root in tables_of(matches, last.number)]
    return notary.event(compute_claims(matches), [log_in(matches, root) for root in roots], upto=upto)


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Matches:
    return played_hall(tmp_path_factory.mktemp("hall"))


def test_orders_given_together_are_signed_together(hall: Matches) -> None:
    report = verify_parts(cup_file(hall))

    assert report.is_good, report.fault
    assert (report.orders_signed, report.matches, [row.points for row in report.standings]) == (9, 0, [720, 720, 0, 0])
    assert RATINGS_BEFORE not in report.unchecked


def test_without_keys_orders_are_unsigned(tmp_path: Path) -> None:
    report = verify_parts(cup_file(played_hall(tmp_path, keyed=False)))

    assert report.is_good, report.fault
    assert report.orders_signed == 0


@pytest.mark.parametrize("at", [0, 1])
@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda body: body.update(scores=[4, 4], places=[1, 1]), "invalid signature of 'olga'"),
        (lambda body: body.update(signed={**body["signed"], "signature": "00" * 64}), ""),
        (lambda body: body["signed"].pop("version"), "invalid signature of 'olga'"),
    ],
)
def test_an_order_cannot_be_replaced_by_another_of_its_group(
    hall: Matches, at: int, change: Callable[[Any], Any], why: str
) -> None:
    records = hall.streams.records(CUP)
    notary = Notary(hall, instead=forged_records(records, version_of(hall, "result_entered") + at, change))
    part, found = find_fault(cup_file(hall, notary))
    assert (part, why in found) == ("tournament", True), found


def test_a_closed_round_has_all_its_results(cup: Matches, unsigned_cup: Matches, parts: list[bytes]) -> None:
    elsewhere = forge(unsigned_cup, "tournament_opened", lambda body: body["plan"].update(faceToFace=True))
    assert find_fault(fewer(elsewhere)) == ("round 1 table 1", "the round is closed, but the table has no result")
    log = log_in(cup, tables_of(cup, 1)[1])
    running = proof_bytes(Notary(cup).match(log_of(log.entries[:-3], "all")))
    assert find_fault([*parts[:2], running, *parts[3:]]) == ("round 1 table 2", "it has not ended")


def test_truncated_files_are_refused(parts: list[bytes]) -> None:
    cut = parts[2][: len(parts[2]) // 2]
    assert "truncated" in find_fault([*parts[:2], cut])[1]
    assert "is missing" in find_fault(fewer(parts))[1]
    broken = parts[2].replace(b'"roles"', b'"rules"', 1).replace(b"esporles.log/3", b"esporles.log/9", 1)
    part, why = find_fault([*parts[:2], broken, *parts[3:]])
    assert (part, "esporles.log/9" in why) == ("round 1 table 2", True), why


def test_oversized_tournaments_are_refused(cup: Matches) -> None:
    opening = TOURNAMENT.read(cup.streams.records(CUP)[0])
    entries = (facts.EntryMade("opal", f"e{number}", name="x") for number in range(2_001))
    assert find_fault([build_invented_file([opening, *entries])])[1].startswith(
        "record 2002: a tournament has at most 2,000 entries and"
    )


def test_another_plan_does_not_change_the_rule_of_the_standings(cup: Matches) -> None:
    opening = TOURNAMENT.read(cup.streams.records(CUP)[0])
    assert isinstance(opening, facts.TournamentOpened)
    older = facts.PlanChanged("olga", replace(opening.plan, standings=1))

    assert find_fault([build_invented_file([opening, older])])[1] == (
        "record 2: a change of the plan cannot change the rule of the standings"
    )


def test_no_two_records_have_one_leaf(parts: list[bytes]) -> None:
    def same(event: EventFile) -> EventFile:
        first = replace(event.roles.leaves[0], leaf=event.event.leaves[0].leaf)
        leaves = (first, *(replace(line, leaf=first.leaf + at) for at, line in enumerate(event.roles.leaves[1:], 1)))
        return event._replace(roles=event.roles._replace(leaves=leaves))

    assert (
        "a record of the tournament and a record of roles have the same leaf"
        in find_fault(change_first_part(parts, same))[1]
    )


def test_rewritten_unsigned_records_contradict_the_matches(unsigned_cup: Matches) -> None:
    """Without signatures, tables and matches still have to agree."""
    stranger = forge(unsigned_cup, "entry_made", lambda body: body.update(actor="zoe"))
    assert "started on seat" in find_fault(stranger)[1]
    title = forge(unsigned_cup, "tournament_opened", lambda body: body["plan"].update(title="la_granja"))
    assert "it is a match of toy" in find_fault(title)[1]
    seats = forge(unsigned_cup, "pairing_proposed", lambda body: body["tables"][0].append(body["tables"][1][0]))
    assert "it has 2 seats, but the table has 3" in find_fault(seats)[1]


def test_a_named_substitute_may_have_started() -> None:
    records = (
        facts.SubstituteNamed("olga", 1, "e1", "eva"),
        facts.SubstituteNamed("olga", 1, "e1"),
        facts.NoShowNoted("olga", 2, "e2", BOT, "ill"),
        facts.Announced("olga", "x"),
    )
    assert set(substitutes_in(records)) == {(1, "e1", "eva"), (1, "e1", ""), (2, "e2", "bot:")}
