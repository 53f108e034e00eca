"""`esporles prove`: write a verifiable proof of a match or tournament in the service's store."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any
from uuid import UUID

from api.transparency.errors import NotCovered, NothingSigned, TreeDiffers
from api.transparency.labels import vrf_key_of
from api.transparency.log_keys import secrets_of, signer_of
from api.transparency.proofs import Prover, match_proof
from api.transparency.store import TreeStore
from api.transparency.tournament_proofs import load_stated_results, require_over
from domain.eventstore.application import Matches
from domain.eventstore.log_files import export_log
from domain.matches.errors import MatchError
from domain.matches.log.records import Record
from domain.proofs.entry_file import is_entry_proof, verify_entry_proof
from domain.proofs.event_file import event_bytes, parse_event
from domain.proofs.match_file import EVENT_BEGINNING, parse_proof_file
from domain.roles.state import ROLES_STREAM
from domain.tournaments.errors import TournamentRefused
from domain.tournaments.state import TOURNAMENT
from domain.transparency.checkpoints import Checkpoint
from domain.transparency.notes import VerifierKey
from ops.accounts import has_people, open_people, require_tree
from ops.commands.export_ import match_id_of
from ops.console import SUCCESS, Finding, WrongUsage, add_data_option, result_writer
from ops.matches import writable, writing
from ops.players import players_of
from ops.service_client import fetch, find_address
from ops.stores import open_matches, read_settings
from ops.verifying.entry import describe_entry
from projections.platform.settings import Settings
from projections.platform.store import ReadStore


def arguments(parser: ArgumentParser) -> None:
    """Add ID, `--entry`, the required `--out`, and `--data`."""
    parser.add_argument("match", metavar="ID", help="id of a match, or of a finished tournament")
    parser.add_argument(
        "--entry", type=int, metavar="N", help="prove entry N of a match only, as a text file (C2SP tlog-proof)"
    )
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the file to write")
    add_data_option(parser)


def make_proof(matches: Matches, settings: Settings, match_id: UUID, entry: int | None = None) -> bytes:
    """Return the proof of a match, of one entry of it, or of a tournament, from the running service or its stores.

    Raises `Finding` if it is refused, as for a tournament that has not ended, `WrongUsage` for an entry of one.
    """
    is_event = is_tournament(matches, match_id)
    if is_event and entry is not None:
        raise WrongUsage("--entry needs the id of a match, not of a tournament")
    service = find_address(settings.data)
    if service is not None:
        part = "" if entry is None else f"/entries/{entry}"
        return fetch(service, "GET", f"/api/{'tournaments' if is_event else 'matches'}/{match_id}{part}/proof")
    try:
        with proving(settings) as prover:
            if is_event:
                return b"".join(prove_event_offline(prover, matches, settings, match_id))
            if entry is not None:
                return prover.entry(export_log(matches, match_id, None), entry)
            return match_proof(prover, export_log(matches, match_id, None), partial(roles_in, matches))
    except (MatchError, TournamentRefused) as error:
        raise Finding(str(error)) from error


def is_tournament(matches: Matches, stream_id: UUID) -> bool:
    """Return whether the id belongs to a tournament."""
    records = matches.streams.records(stream_id, 0, 1)
    return bool(records) and TOURNAMENT.owns(records[0])


def roles_in(matches: Matches) -> tuple[Record, ...]:
    """Return the records of roles."""
    return matches.streams.records(ROLES_STREAM)


def prove_event_offline(prover: Prover, matches: Matches, settings: Settings, event_id: UUID) -> Iterator[bytes]:
    """Yield the parts of a tournament's proof: its records, then the proof of each match.

    Raises `TournamentRefused` unless it is over, `NotCovered` while its ratings are not computed.
    """
    event, roles = require_over(matches.streams.get(TOURNAMENT, event_id)), cache(partial(roles_in, matches))
    with closing(ReadStore(settings.reads_url)) as read_store:
        results, lines = load_stated_results(read_store, event.state)
    yield event_bytes(prover.event(matches.streams.records(event_id), roles(), len(lines), results))
    for line in lines:
        yield match_proof(prover, export_log(matches, line, None), roles)


@contextmanager
def proving(settings: Settings) -> Iterator[Prover]:
    """Provide a prover on the transparency tree as the service left it.

    Raises `Finding` without tree or accounts, or if the tree is not signed far enough or differs from the log.
    """
    require_tree(settings)
    if not has_people(settings):
        raise Finding(f"no accounts at {settings.people_file}: the service has never run there")
    with open_people(settings) as people:
        key, vrf = signer_of(secrets_of(people, settings), settings.log_origin).key, vrf_key_of(people)
    try:
        with closing(TreeStore(settings.tree_place)) as store:
            yield Prover(store, key, settings.witnesses, vrf)
    except (NotCovered, NothingSigned) as behind:
        raise Finding(f"{behind}; start the service, which signs it") from behind
    except TreeDiffers as differs:
        raise Finding(str(differs)) from differs


def run(arguments: Namespace) -> int:
    """Write the proof of a match or of an ended tournament to `--out`, describe it on stdout and return `SUCCESS`.

    Raises `WrongUsage` if the id is no UUID or the file cannot be written, `Finding` if there is no proof.
    """
    match_id, out, settings = match_id_of(arguments.match), writable(arguments.out), read_settings(arguments)
    with open_matches(settings, players_of(arguments).titles, to_write=False) as matches:
        content = make_proof(matches, settings, match_id, arguments.entry)
    assert out is not None
    with writing(out):
        out.write_bytes(content)
    document, lines = describe_proof(content)
    lines.append(f"written    {out}")
    result_writer(arguments.json)({"out": str(out), **document}, "\n".join(lines))
    return SUCCESS


def describe_proof(content: bytes) -> tuple[dict[str, Any], list[str]]:
    """Describe the proof of a match or tournament: its document for JSON, and lines of text.

    Raises `LogFault` if it cannot be read.
    """
    if content.startswith(EVENT_BEGINNING):
        event = parse_event(content)
        header = event.header
        lines = [
            f"tournament {header.event}, {header.matches} matches",
            f"records    {header.records}, head {header.head}",
        ]
        return describe_tree({"header": header}, lines, event.checkpoint, event.keys)
    if is_entry_proof(content):
        report = verify_entry_proof(content)
        assert report.proof is not None
        witnesses = [each.name for each in report.proof.cosigned]
        tree = {"origin": report.proof.origin, "size": report.proof.size, "witnesses": witnesses}
        return {"match": report.match, "entry": report.entry} | tree, describe_entry(report)
    proof = parse_proof_file(content)
    log = proof.log.header
    lines = [
        f"match      {log.match} of {log.title}",
        f"entries    {log.entries}, head {log.head}",
        f"for        {log.redacted_for or 'everyone (nothing is redacted)'}",
    ]
    return describe_tree({"header": log}, lines, proof.checkpoint, proof.keys)


def describe_tree(
    document: dict[str, Any], lines: list[str], checkpoint: Checkpoint, keys: Sequence[VerifierKey]
) -> tuple[dict[str, Any], list[str]]:
    """Add origin, size and witnesses of the tree to the lines, and return a document with them, and the lines.

    The first key is the service's.
    """
    witnesses = [key.name for key in keys[1:]]
    lines += [
        f"tree       {checkpoint.origin}, {checkpoint.size} leaves",
        f"witnesses  {', '.join(witnesses) or 'none'}",
    ]
    return document | {"origin": checkpoint.origin, "size": checkpoint.size, "witnesses": witnesses}, lines
