"""A small tournament with signing officials, played to its end, and its proofs by a tree built in tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Final
from uuid import UUID

import msgspec

from domain.disputes.rulings import Ruling, rule_on
from domain.eventstore.application import Matches
from domain.eventstore.log_files import export_log
from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.kernel.values import replace
from domain.keys.commands import keys_of, register_key
from domain.matches.errors import OrderUnsigned
from domain.matches.facts import Clock, Table
from domain.matches.forks.lineage import official_line
from domain.matches.log.entries import ALL, NO_DIGEST, Entry
from domain.matches.log.log_files import LogFile
from domain.matches.log.records import Record, record_digest
from domain.matches.rulings.measures import LineResumed
from domain.matches.rulings.outcome import Outcome, outcome_of
from domain.matches.verification.verify import examine_log
from domain.pairing.methods import pair_round
from domain.proofs.event_file import ClaimedResults, EventFile, RatingsMoved, event_bytes, header_of
from domain.proofs.match_file import LabelLine, LeafLine, LogLine, ProofFile, ProofLabels, Recorded, proof_bytes
from domain.proofs.recount import rated_results
from domain.proofs.rulings import rulings_in
from domain.ratings.facts import begin_fair_play
from domain.ratings.ladder import Ladder, Pool
from domain.ratings.models import BASE, model_of
from domain.ratings.rules import RatingRules
from domain.roles.commands import change_role, official_keys_in, roles_of, sync_operators
from domain.roles.state import ROLES_STREAM, official_keys
from domain.signatures.acts import ServiceKey
from domain.standings.contest import Stage
from domain.standings.ranking import standings
from domain.standings.results import TableResult, table_result
from domain.tournaments import commands, facts, registration, rounds
from domain.tournaments.plan import Plan
from domain.tournaments.state import TOURNAMENT, Tournament
from domain.transparency.announcements import encode_announcement
from domain.transparency.checkpoints import Checkpoint
from domain.transparency.keys import Signer
from domain.transparency.labels import Labeller
from domain.transparency.leaves import is_logged, leaf_of
from domain.transparency.merkle import leaf_hash
from domain.transparency.multiproofs import create_multiproof
from tests.domain.disputes.disputing import D, raise_dispute
from tests.domain.matches.match_helpers import ALL_TITLES, START, act_once, make_all_ready, play_out, uuid
from tests.domain.proofs.match_proofs import SALT, VRF, WITNESS, sign_checkpoint, text_of
from tests.domain.transparency.trees import Tree
from tests.seeding import entropy
from tests.signing import Pen, signing

CUP: Final = UUID("0c0c0c0c-0000-4000-8000-000000000001")
HOUSE, OPAL, OLGA, ART = (Pen(name) for name in ("the house", "opal", "olga", "art"))
SIGNER: Final = Signer("house.example/cup", sha256(b"pen the house").digest())
"""The signer of the service's checkpoints."""
BOT: Final = "bot:random@1"
RULES: Final = RatingRules(START, START)
"""The rules of rating of a service that is new when the tournament begins."""
RESUMED: Final = uuid(700)
PLAN: Final = Plan(
    name="Cup",
    title="toy",
    size=2,
    stages=(Stage("swiss", 2),),
    table=Table(rated=True, public=True, clock=Clock("per_move", 600)),
    bot=BOT,
)
PEOPLE: Final = ("anna", "bea", "carl", "dora")
NAMES: Final = {OPAL.key: "opal", OLGA.key: "olga", ART.key: "art"}


@dataclass
class Notary:
    """The tree over everything in a store, and proofs by its latest checkpoint.

    `instead`: forged records or entries, by stream and version. `labelled_from`: the leaf that announces labels.
    """

    matches: Matches
    witnesses: tuple[Signer, ...] = (WITNESS,)
    signer: Signer = SIGNER
    instead: Mapping[tuple[UUID, int], Entry | Record] = field(default_factory=dict)
    labelled_from: int | None = None
    tree: Tree = field(default_factory=Tree)
    places: dict[tuple[UUID, int], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.labeller = Labeller(VRF, self.signer.key.name)
        for _, each in self.matches.read_log_items(0, 100_000):
            if isinstance(each, Record) and not is_logged(each.tag):
                continue
            stream = each.line_id if isinstance(each, Entry) else each.stream_id
            record = self.instead.get((stream, each.version), each)
            digest = record.digest if isinstance(record, Entry) else record_digest(record)
            if len(self.tree.leaves) == self.labelled_from:
                self.tree.append(encode_announcement(self.labeller.announcement))
            of, label = self.labeller.of_entry if isinstance(each, Entry) else self.labeller.of_record, b""
            self.places[stream, each.version] = place = len(self.tree.leaves)
            if self.has_label(place):
                label = of(stream, each.version)
            self.tree.append(label + leaf_of(SALT, stream, each.version, digest))
        size = len(self.tree.leaves)
        self.checkpoint = Checkpoint(self.signer.key.name, size, self.tree.root())
        self.note = sign_checkpoint(self.checkpoint, *self.witnesses, house=self.signer)
        self.keys = (self.signer.key, *(each.key for each in self.witnesses))

    def has_label(self, place: int) -> bool:
        return self.labelled_from is not None and place > self.labelled_from

    @property
    def log(self) -> tuple[LogLine, ...]:
        """The announcements of the tree."""
        return () if self.labelled_from is None else (LogLine(self.labelled_from, text_of(self.labeller)),)

    def records(self, stream: UUID) -> tuple[Record, ...]:
        entries = (self.instead.get((stream, each.version), each) for each in self.matches.streams.records(stream))
        return tuple(each for each in entries if isinstance(each, Record))

    def prove_records(self, records: Iterable[Record]) -> Recorded:
        proven = tuple(records)
        return Recorded(proven, tuple(map(self.record_leaf, proven)))

    def record_leaf(self, record: Record) -> LeafLine:
        stream, version = record.stream_id, record.version
        place, proof = self.places[stream, version], self.labeller.prove_record(stream, version).hex()
        return LeafLine(version, place, SALT.hex(), stream, proof if self.has_label(place) else "")

    def hashes(self, *lines: LeafLine) -> tuple[bytes, ...]:
        return tuple(
            create_multiproof(
                self.tree.read,
                sorted([*(line.leaf for line in lines), *(line.leaf for line in self.log)]),
                self.checkpoint.size,
            )
        )

    @property
    def roles(self) -> Recorded:
        return self.prove_records(self.records(ROLES_STREAM))

    def match(self, log: LogFile, *, roles: Recorded | None = None) -> ProofFile:
        """Return the proof of a match, with the records of roles if it has rulings."""
        places = (self.places[entry.line_id, entry.version] for entry in log.entries)
        lines = tuple(LeafLine(at, leaf, SALT.hex()) for at, leaf in enumerate(places, start=1))
        theirs = roles or (self.roles if any(rulings_in(log)) else Recorded())
        hashes = self.hashes(*lines, *theirs.leaves)
        streams = dict.fromkeys(e.line_id for e in log.entries if self.has_label(self.places[e.line_id, e.version]))
        labels = tuple(LabelLine(stream, self.labeller.prove_match(stream).hex()) for stream in streams)
        proven = ProofLabels(self.log, labels)
        return ProofFile(log, lines, hashes, self.note, self.checkpoint, self.keys, theirs, proven)

    def event(
        self, claims: ClaimedResults, logs: Iterable[LogFile], upto: int | None = None, **other: Any
    ) -> list[bytes]:
        """Return the parts of the tournament's proof: the one before the matches, and one for each match."""
        ours, theirs = self.prove_records(self.records(CUP)[:upto]), self.roles
        proofs = [proof_bytes(self.match(log)) for log in logs]
        count, is_labelled, labels = len(theirs.records), bool(self.log), ProofLabels(self.log)
        header = header_of(ours.records, count, len(proofs), self.checkpoint, is_labelled=is_labelled)
        hashes = self.hashes(*ours.leaves, *theirs.leaves)
        event = EventFile(header, ours, theirs, hashes, self.note, self.checkpoint, self.keys, claims, labels)
        return [event_bytes(event._replace(**other)), *proofs]


def forged_records(
    records: Sequence[Record], version: int, change: Callable[[Any], Any]
) -> dict[tuple[UUID, int], Any]:
    """Return the records of a service that changes one of them and chains the rest again."""
    forged, previous = dict[tuple[UUID, int], Record](), b""
    for record in records[version - 1 :]:
        body = msgspec.json.decode(record.body)
        if record.version == version:
            change(body)
        raw = msgspec.Raw(msgspec.json.encode(body))
        new = replace(record, body=raw, previous=previous or record.previous)
        forged[record.stream_id, record.version] = new
        previous = record_digest(new)
    return forged


def by_official(matches: Matches, pen: Pen, command: Callable[[], Any]) -> Any:
    """Run an official's command, signed if they have a key."""
    return signing(matches, pen, command) if official_keys(roles_of(matches), NAMES[pen.key]) else command()


def appoint_officials(matches: Matches, *, keyed: bool = True) -> None:
    """Appoint an operator, an organiser and an arbiter, each by the previous one."""
    for person, pen in (("opal", OPAL), ("olga", OLGA), ("art", ART)) if keyed else ():
        register_key(matches, person, pen.named_key, at=START)
    sync_operators(matches, ("opal",), at=START)
    change = partial(change_role, matches, granted=True, at=START)
    by_official(matches, OPAL, lambda: change("olga", "organiser", by="opal", scope=str(CUP)))
    by_official(matches, OLGA, lambda: change("art", "arbiter", by="olga", scope=str(CUP)))


def house_in(folder: Path, house: ServiceKey | None = HOUSE) -> Matches:
    """Return a store of a service, with or without a signing key."""
    matches = open_store(store_env(folder / "cup.sqlite"), titles=ALL_TITLES, entropy=entropy(), service_key=house)
    matches.dependencies.keys_of = keys_of
    matches.dependencies.official_keys = official_keys_in
    return matches


def open_cup(matches: Matches, plan: Plan, opener: str, *, format: int) -> None:
    """Open the tournament, with records of a format."""
    opened = replace(registration.open_tournament(matches.titles, plan, opener), format=format)
    matches.transact(lambda batch: batch.record(TOURNAMENT, CUP, opened), at=START)


def change_cup(matches: Matches, decide: Callable[[Any], Any]) -> Any:
    """Change the tournament; the organiser signs."""
    return as_organiser(matches, lambda: commands.change(matches, CUP, decide, at=START))


def as_organiser(matches: Matches, command: Callable[[], Any]) -> Any:
    """Run a command; the organiser signs."""
    try:
        return command()
    except OrderUnsigned:
        return signing(matches, OLGA, command)


def open_next_round(matches: Matches, number: int, comes: Callable[[Matches, UUID], None] | None = None) -> None:
    """Pair and publish the next round, and open its tables; everyone is ready, or does what `comes` does."""
    results = results_in(matches)
    change_cup(matches, lambda state: rounds.ask_pairing(state, results, "olga"))
    last = cup_in(matches).rounds[-1]
    pairing, why = pair_round(last.problem, last.way)
    change_cup(matches, lambda state: rounds.answer_pairing(state, number, pairing, why))
    change_cup(matches, lambda state: rounds.publish(state, number, results, "olga"))
    for table in range(1, len(pairing.tables) + 1):
        commands.open_table(matches, CUP, number, table, at=START)
    change_cup(matches, lambda state: rounds.open_round(state, number))
    for match in tables_of(matches, number):
        (comes or make_ready)(matches, match)


def cup_in(matches: Matches) -> Tournament:
    return matches.streams.get(TOURNAMENT, CUP).state


def tables_of(matches: Matches, number: int) -> list[UUID]:
    """Return the matches of a round, as first opened."""
    match_ids = (table.match for table in cup_in(matches).rounds[number - 1].tables)
    return [match for match in match_ids if match is not None and matches.lines.has(match)]


def log_in(matches: Matches, match_id: UUID) -> LogFile:
    """Return the log of the official line."""
    return export_log(matches, official_line(matches, match_id).id, ALL, at=START)


def outcomes_in(matches: Matches) -> list[Outcome]:
    """Return the outcomes of the matches."""
    found = []
    for last in cup_in(matches).rounds:
        for root in tables_of(matches, last.number):
            examined = examine_log(log_in(matches, root), titles=ALL_TITLES)
            assert examined.report.is_good, examined.report
            assert examined.match is not None
            found.append(outcome_of(examined.match, root, examined.match.id, examined.times))
    return found


def results_in(matches: Matches) -> dict[UUID, TableResult]:
    counted = {outcome.match_id: table_result(outcome) for outcome in outcomes_in(matches)}
    return {match: result for match, result in counted.items() if result is not None}


def compute_claims(matches: Matches) -> ClaimedResults:
    """Return the claims of the service."""
    outcomes = outcomes_in(matches)
    ladders, moved = dict[Pool, Ladder](), list[RatingsMoved]()
    for result in rated_results(outcomes, RULES):
        changes = ladders.setdefault(result.pool, Ladder(model_of(BASE))).rate_result(result)
        before = tuple(
            replace(change.before, met=tuple(met for met in change.met if met.matches))
            for change in changes
            if change.before.matches
        )
        moved.append(RatingsMoved(result.match_id, before, tuple(change.after for change in changes)))
    return ClaimedResults(
        standings=standings(cup_in(matches), results_in(matches)),
        fair_since=RULES.fair_since,
        revised_since=RULES.revised_since,
        ratings=tuple(moved),
    )


def close_cup_round(matches: Matches, number: int) -> None:
    """Close a round, which ends the tournament if it is the last."""
    close = partial(rounds.close_round, number=number, results=results_in(matches), disputed=(), by="olga")
    change_cup(matches, close)


def played_hall(folder: Path, *, keyed: bool = True) -> Matches:
    """Play a face-to-face round; the results of both tables are imported together."""
    matches = house_in(folder)
    appoint_officials(matches, keyed=keyed)
    plan = replace(PLAN, face_to_face=True, stages=(Stage("swiss", 1),))
    commands.open_tournament(matches, CUP, plan, "olga", at=START)
    for person in PEOPLE:
        change_cup(matches, partial(registration.enter, by="olga", name=person))
    open_next_round(matches, 1)

    def results(state: Tournament) -> list[Any]:
        entered = [rounds.enter_result(state, 1, table, (9, 4), (1, 2), "olga") for table in (1, 2)]
        return [*entered, facts.ImportNoted("olga", "results", "00", 2)]

    change_cup(matches, results)
    close_cup_round(matches, 1)
    return matches


def played_cup(folder: Path, *, keyed: bool = True, house: ServiceKey | None = None) -> Matches:
    """Play two rounds: a line replaced by a ruling, a manual result, a penalty. Without keys records have format 1."""
    matches = house_in(folder, HOUSE if keyed else house)
    begin_fair_play(matches, at=START)
    appoint_officials(matches, keyed=keyed)
    plan = PLAN if keyed else replace(PLAN, table=Table(public=True))
    open_cup(matches, plan, "opal" if keyed else "olga", format=2 if keyed else 1)
    for person in PEOPLE:
        change_cup(matches, partial(registration.enter, by=person, actor=person))
    open_next_round(matches, 1)
    first, second = tables_of(matches, 1)
    match = matches.get(first)
    for _ in range(4):
        match = act_once(matches, match)
    raise_dispute(matches, match.version, by=match.seats[0].actor or "", line=first)
    resume = Ruling(uuid(70), "4.2", "So it is.", (LineResumed(match.version - 1, ""),), new_line=RESUMED)
    by_official(
        matches,
        ART,
        lambda: rule_on(
            matches, D, resume, by="art", clocks=lambda *_: (60_000, 60_000), at=START, players=frozenset()
        ),
    )
    play_out(matches, make_all_ready(matches, matches.get(RESUMED)))
    play_out(matches, matches.get(second))
    penalty = partial(registration.penalise, name="e2", sixtieths=60, reason="late", by="olga")
    change_cup(matches, penalty)
    close_cup_round(matches, 1)
    open_next_round(matches, 2)
    first, second = tables_of(matches, 2)
    play_out(matches, matches.get(first))
    ruling = partial(rounds.rule_table, number=2, table=2, scores=(7, 3), places=(1, 2), reason="Closed.", by="olga")
    by_official(matches, OLGA, lambda: commands.rule_table(matches, CUP, ruling, at=START))
    close_cup_round(matches, 2)
    return matches


def cup_file(
    matches: Matches, notary: Notary | None = None, *, claims: ClaimedResults | None = None, **other: Any
) -> list[bytes]:
    """Return the proof of the tournament, in parts."""
    notary = notary or Notary(matches)
    roots = [root for last in cup_in(matches).rounds for root in tables_of(matches, last.number)]
    return notary.event(claims or compute_claims(matches), [log_in(matches, root) for root in roots], **other)


def make_ready(matches: Matches, match_id: UUID) -> None:
    """Make everyone at a table ready, with the service's share of luck."""
    for seat, info in enumerate(matches.get(match_id).seats):
        if info.actor is not None and not info.ready:
            matches.commit_share(match_id, seat, info.actor, at=START)
    for seat, info in enumerate(matches.get(match_id).seats):
        if info.actor is not None and not info.ready:
            matches.ready(match_id, seat, info.actor, at=START)


def build_invented_file(facts: Iterable[Any]) -> bytes:
    """Return the file of an invented tournament."""
    records, previous, tree = list[Record](), NO_DIGEST, Tree()
    for version, fact in enumerate(facts, start=1):
        body = msgspec.Raw(msgspec.json.encode(fact, order="deterministic"))
        records.append(
            Record(originator_id=CUP, originator_version=version, timestamp=START, previous=previous, body=body)
        )
        previous = record_digest(records[-1])
        tree.leaves.append(leaf_hash(leaf_of(SALT, CUP, version, previous)))
    tree.growth.add(tree.leaves)
    tree.tiles |= tree.growth.take_changed_tiles()
    lines = tuple(LeafLine(record.version, record.version - 1, SALT.hex(), CUP) for record in records)
    checkpoint = Checkpoint(SIGNER.key.name, len(lines), tree.root())
    header, recorded = header_of(tuple(records), 0, 0, checkpoint), Recorded(tuple(records), lines)
    note = sign_checkpoint(checkpoint, WITNESS, house=SIGNER)
    claims, keys = ClaimedResults(standings=(), fair_since=None, ratings=()), (SIGNER.key, WITNESS.key)
    return event_bytes(EventFile(header, recorded, Recorded(), (), note, checkpoint, keys, claims))
