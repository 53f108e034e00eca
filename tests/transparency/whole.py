"""Proofs with role records and tournament files as plain values, written from `docs/specifications/proof.md`.

Nothing is validated here: false content is chained, signed and proven like any other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from domain.transparency.checkpoints import Checkpoint
from domain.transparency.keys import Signer
from domain.transparency.multiproofs import create_multiproof
from tests.domain.proofs.match_proofs import HOUSE, WITNESS, sign_checkpoint
from tests.domain.transparency.trees import Tree
from tests.transparency.damaged import GOLDEN
from tests.transparency.logs import NOBODY, Body, Log, encode, rechain

ROLES_STREAM: Final = "6c0e5b0a-33a5-5b1e-9c0e-000000000001"
DISPUTE: Final = "0d0d0d0d-0000-4000-8000-00000000000d"
EVENT: Final = "0e0e0e0e-0000-4000-8000-00000000000e"
TABLE: Final = ("clock", "timeOut", "takeBacks", "public", "rated", "pauseOnDispute")
"""The fields of a table before its event."""
SALT: Final = b"\x05" * 16
BEGAN: Final = datetime(2026, 1, 1, tzinfo=UTC)


class Pen:
    """A signing key derived from one byte."""

    def __init__(self, seed: int) -> None:
        self._private = Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)
        self.key: Final = self._private.public_key().public_bytes_raw().hex()

    def order(self, stream: str, version: int, digest: str, act: Body | list[Body]) -> Body:
        position = UUID(stream).bytes + version.to_bytes(8, "big") + bytes.fromhex(digest)
        return {"key": self.key, "signature": self._private.sign(b"esporles.order/1\0" + position + encode(act)).hex()}

    def act(self, match: str, version: int, digest: str, act: Body) -> Body:
        position = UUID(match).bytes + version.to_bytes(8, "big") + bytes.fromhex(digest)
        return {"key": self.key, "signature": self._private.sign(b"esporles.act/2\0" + position + encode(act)).hex()}


HOUSE_PEN: Final = Pen(1)
"""The key of `HOUSE`, which signs the checkpoints."""


def record_digest(stream: str, record: Body) -> str:
    """Return the digest as specified in `docs/specifications/log.md`."""
    microseconds = (datetime.fromisoformat(record["timestamp"]) - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(
        microseconds=1
    )
    position = UUID(stream).bytes + record["version"].to_bytes(8, "big") + microseconds.to_bytes(8, "big", signed=True)
    content = position + bytes.fromhex(record["previous"]) + encode(record["body"])
    return hashlib.sha256(b"esporles.record/1\0" + content).hexdigest()


class Stream:
    """Records of a stream, each signed with the given key, or unsigned."""

    def __init__(self, stream: str) -> None:
        self.id = stream
        self.records: list[Body] = []

    def add_together(self, bodies: Sequence[Body], pen: Pen) -> None:
        """Append records of one official with one signature."""
        head, version = self.records[-1]["digest"], len(self.records)
        signed = pen.order(self.id, version, head, list(bodies)) | {"version": version}
        for body in bodies:
            self.add(body | {"signed": signed})

    def add(self, body: Body, pen: Pen | None = None) -> int:
        """Append a record and return its version."""
        previous, version = self.records[-1]["digest"] if self.records else NOBODY, len(self.records) + 1
        signed_body = body
        if pen is not None:
            signed_body = body | {"signed": pen.order(self.id, version - 1, previous, body)}
        timestamp = (BEGAN + timedelta(minutes=version)).isoformat().replace("+00:00", "Z")
        record: Body = {
            "version": version,
            "timestamp": timestamp,
            "previous": previous,
            "digest": "",
            "body": signed_body,
        }
        record["digest"] = record_digest(self.id, record)
        self.records.append(record)
        return version


def grant_body(person: str, role: str, by: str = "service", scope: str = "", keys: Sequence[str] = ()) -> Body:
    body = {"type": "roles.role_granted", "person": person, "role": role, "by": by}
    return body | ({"scope": scope} if scope else {}) | ({"keys": list(keys)} if keys else {})


def revocation_body(person: str, role: str, by: str = "service", scope: str = "") -> Body:
    return grant_body(person, role, by, scope) | {"type": "roles.role_revoked"}


class ProofTree:
    """A tree that appends entries and records in the given order, and proves them together."""

    def __init__(self, *witnesses: Signer) -> None:
        self.tree = Tree(2)
        self.positions: dict[tuple[str, int], int] = {}
        self.witnesses = witnesses or (WITNESS,)

    def append(self, stream: str, lines: Sequence[Body], grow: int = 1) -> None:
        for line in lines:
            version = line["version"].to_bytes(8, "big")
            content = SALT + UUID(stream).bytes + version + bytes.fromhex(line["digest"])
            leaf = hashlib.sha256(b"\0" + hashlib.sha256(b"esporles.leaf/1\0" + content).digest()).digest()
            self.positions[stream, line["version"]] = len(self.tree.leaves)
            self.tree.leaves.append(leaf)
            self.tree.growth.add([leaf])
            self.tree.tiles |= self.tree.growth.take_changed_tiles()
            self.tree.grow(grow)

    def append_log(self, log: Log) -> None:
        for entry in log.entries:
            self.append(entry["match"], [entry])

    @property
    def size(self) -> int:
        return len(self.tree.leaves)

    def leaf(self, stream: str, line: Body, named: bool) -> Body:
        fields = {"version": line["version"], "leaf": self.positions[stream, line["version"]], "salt": SALT.hex()}
        return fields | ({"stream": stream} if named else {})

    def end(self, leaves: Sequence[Body]) -> Body:
        hashes = create_multiproof(self.tree.read, sorted(each["leaf"] for each in leaves), self.size)
        note = sign_checkpoint(Checkpoint(HOUSE.key.name, self.size, self.tree.root()), *self.witnesses)
        keys = [str(HOUSE.key), *(str(each.key) for each in self.witnesses)]
        return {"hashes": [each.hex() for each in hashes], "checkpoint": str(note), "keys": keys}

    def proof(self, log: Log, roles: Stream | None = None) -> list[Any]:
        """Return the lines of a match's proof, with role records if given."""
        last = log.entries[-1]
        header = {"format": f"esporles.proof/{1 if roles is None else 2}", "match": last["match"]}
        header |= {"entries": len(log.entries), "head": last["digest"], "origin": HOUSE.key.name, "size": self.size}
        records = [] if roles is None else roles.records
        leaves = [self.leaf(each["match"], each, False) for each in log.entries]
        leaves += [self.leaf(ROLES_STREAM, each, True) for each in records]
        header |= {} if roles is None else {"roles": len(records)}
        return [header, log.header, *log.entries, *records, *leaves, self.end(leaves)]

    def event(
        self, event: Stream, roles: Stream, claims: Mapping[str, Any], matches: Sequence[list[Any]], format: int = 1
    ) -> list[Any]:
        """Return the lines of a tournament's file."""
        header = {"format": f"esporles.event/{format}", "event": event.id, "records": len(event.records)}
        header |= {"head": event.records[-1]["digest"], "roles": len(roles.records), "matches": len(matches)}
        header |= {"origin": HOUSE.key.name, "size": self.size}
        leaves = [self.leaf(stream.id, each, True) for stream in (event, roles) for each in stream.records]
        lines = [header, *event.records, *roles.records, *leaves, self.end(leaves), claims]
        return [*lines, *(line for match in matches for line in match)]


def file_of(lines: Sequence[Any]) -> bytes:
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


def ruled_match(
    pens: Mapping[str, Pen | None],
    service_pen: Pen | None = HOUSE_PEN,
    name: str = "el_grande-ruled",
    authority: str = "",
) -> Log:
    """Return a match with rulings by an arbiter and, on appeal, a head arbiter, signed with these keys.

    With an `authority` the log is of format 3, in which each ruling states it.
    """
    folder = GOLDEN / "format-3" if authority else GOLDEN
    log = Log((folder / f"{name}.jsonl").read_bytes())
    for index, entry in enumerate(log.entries):
        body, before = entry["body"], log.entries[index - 1]["digest"] if index else NOBODY
        if body["type"] == "match_opened" and service_pen is not None:
            body["house"] = service_pen.key
        if body["type"] == "paused":
            body["dispute"] = DISPUTE
        if body["type"] == "paused" and service_pen is not None:
            body["signed"] = service_pen.act(entry["match"], index, before, body)
        if body["type"] == "ruling_given":
            body["dispute"] = DISPUTE
        if body["type"] == "ruling_given" and authority:
            body["authority"] = authority
        if body["type"] == "ruling_given" and (pen := pens.get(body["by"])) is not None:
            measures = [each | ({"line": ""} if "line" in each else {}) for each in body.get("measures", ())]
            content = body | {"ruling": ""} | ({"measures": measures} if measures else {})
            signed = pen.order(DISPUTE, 1, "11" * 32, content)
            body["signed"] = signed | {"version": 1, "head": "11" * 32}
        rechain(log, index)
    return log


def tournament_match(name: str, players: Sequence[str], event: str = EVENT) -> Log:
    """Return a golden match as a tournament match, with these players instead of its bots."""
    log = Log((GOLDEN / f"{name}.jsonl").read_bytes())
    table = log.body(0)["table"]
    names = list(table)
    index = next((index for index, each in enumerate(names) if each not in TABLE), len(names))
    log.body(0)["table"] = dict([*[(each, table[each]) for each in names[:index]], ("event", event)])
    log.body(0)["table"] |= {each: table[each] for each in names[index:]}
    for entry in log.entries:
        body = entry["body"]
        if body.get("seat", -1) >= 0 and "by" in body:
            body["by"] = players[body["seat"]]
    rechain(log)
    return log


def result(log: Log) -> Body:
    """Return the result of a completed match."""
    body = log.body(log.indices("match_ended")[0])
    return {"scores": body["scores"], "ranking": body["ranking"]}


ORGANISER: Final = Pen(13)
PLAN: Final = {"name": "Cup", "title": "el_grande", "size": 2}
PROBLEM: Final = {
    "entrants": [],
    "size": 2,
    "smallest": 2,
    "leftover": "short",
    "forbidden": [],
    "wished": [],
    "locked": [],
    "byes": [],
    "absent": [],
    "round": 1,
    "rounds": 3,
    "seed": 0,
}
STANDINGS: Final = (
    # entry, rank, points, tieBreaks, played, byes, wins, penalty, stage
    ("c", 1, 1440, [720000000, 0, 1, 0, 193341757793312], 1, 2, 1, 0, 0),
    ("b", 2, 1020, [720000000, 898648, 1, 156, 133738971571181], 2, 1, 1, 60, 0),
    ("a", 3, 720, [1160000000, 570446, 1, 143, 62503516652311], 3, 0, 1, 0, 0),
)
COLUMNS: Final = ("entry", "rank", "points", "tieBreaks", "played", "byes", "wins", "penalty", "stage")


class Cup:
    """A tournament of three people in three rounds at tables of two; the last table is decided without a match."""

    format = 1

    def __init__(self) -> None:
        self.roles, self.event = Stream(ROLES_STREAM), Stream(EVENT)
        self.matches = [
            tournament_match("el_grande-2-eager-0", ("anna", "bela")),
            tournament_match("el_grande-2-eager-8", ("bela", "anna")),
        ]
        self.standings: list[dict[str, Any]] = [dict(zip(COLUMNS, row, strict=True)) for row in STANDINGS]
        self.roles.add(grant_body("olga", "organiser", scope=EVENT, keys=[ORGANISER.key]), HOUSE_PEN)
        self.say("tournament_opened", by="olga", plan=PLAN, signs=False)
        for entry, actor in (("a", "anna"), ("b", "bela"), ("c", "cyril")):
            self.say("entry_made", by=actor, entry=entry, actor=actor, signs=False)

    def say(self, kind: str, *, signs: bool | Pen = True, **fields: Any) -> None:
        pen = signs if isinstance(signs, Pen) else ORGANISER if signs else None
        self.event.add({"type": f"tournament.{kind}", **fields}, pen)

    def pair(self, number: int, tables: Any, byes: Any, *matches: Log) -> None:
        ids = [each.entries[0]["match"] for each in matches] or [str(UUID(int=number))]
        self.say("pairing_asked", by="olga", round=number, stage=0, problem=PROBLEM, way="tables", signs=False)
        proposal: Body = {"levels": [], "reasons": [[] for _ in tables], "engine": "hand"}
        self.say("pairing_proposed", round=number, tables=tables, byes=byes, **proposal, signs=False)
        self.say("round_published", by="olga", round=number, matches=ids, signs=False)

    def play(self) -> None:
        """Play all rounds without forgeries."""
        self.pair(1, [["a", "b"]], ["c"], self.matches[0])
        self.say("round_closed", by="olga", round=1)
        self.play_rest()

    def play_rest(self) -> None:
        """Play the rounds after the first one."""
        self.pair(2, [["b", "a"]], ["c"], self.matches[1])
        self.say("penalty_given", by="olga", entry="b", sixtieths=60, reason="late")
        self.say("round_closed", by="olga", round=2)
        self.pair(3, [["c", "a"]], ["b"])
        self.say("result_ruled", by="olga", round=3, table=1, places=[1, 2], scores=[0, 0], reason="ill")
        self.say("round_closed", by="olga", round=3)
        self.say("tournament_ended", by="olga")

    def lines(self, *witnesses: Signer, late: int = 0) -> list[Any]:
        """Return its file; `late` role records are appended after all others."""
        tree, first = ProofTree(*witnesses), len(self.roles.records) - late
        tree.append(ROLES_STREAM, self.roles.records[:first])
        tree.append(EVENT, self.event.records)
        tree.append(ROLES_STREAM, self.roles.records[first:])
        for log in self.matches:
            tree.append_log(log)
        claims = {"standings": self.standings, "fairSince": None, "ratings": []}
        return tree.event(self.event, self.roles, claims, [tree.proof(log) for log in self.matches], self.format)


def cup() -> Cup:
    tournament = Cup()
    tournament.play()
    return tournament
