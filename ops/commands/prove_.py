"""`esporles prove`: a match of the service's store as a file that proves it to a stranger."""

from argparse import ArgumentParser, Namespace
from contextlib import closing
from pathlib import Path
from uuid import UUID

from api.transparency.errors import NotCovered, NothingSigned, TreeDiffers
from api.transparency.proving import prove
from api.transparency.service import signer_of
from api.transparency.store import TreeStore
from domain.matches.errors import MatchError
from domain.matches.file import LogFile
from domain.matches.proof import parse_proof_file, proof_bytes
from ops.accounts import open_people
from ops.commands.export_ import match_id_of
from ops.console import SUCCESS, Finding, answer, take_data
from ops.door import ask, find_address
from ops.matches import writable, writing
from ops.players import players_of
from ops.stores import opened_matches, read_settings
from projections.settings import Settings


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("match", metavar="MATCH", help="the id of the match")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="where to write")
    take_data(parser)


def make_proof(arguments: Namespace, match_id: UUID) -> bytes:
    """The file's bytes: from the running service, or from its stores while it does not run."""
    settings = read_settings(arguments)
    door = find_address(settings.data)
    if door is not None:
        return ask(door, "GET", f"/api/matches/{match_id}/proof")
    with opened_matches(settings, players_of(arguments).titles, to_write=False) as matches:
        try:
            return prove_offline(settings, matches.export(match_id, None))
        except MatchError as error:
            raise Finding(str(error)) from error


def prove_offline(settings: Settings, log: LogFile) -> bytes:
    """From the tree as the service left it."""
    if not settings.tree_path.exists() or not settings.people_path.exists():
        raise Finding(f"there is no tree at {settings.tree_path}: the service has not run there")
    with open_people(settings) as people:
        house = signer_of(people, settings.log_origin).key
    try:
        with closing(TreeStore(settings.tree_path)) as store:
            return proof_bytes(prove(store, house, settings.witnesses, log))
    except (NotCovered, NothingSigned) as behind:
        raise Finding(f"{behind}; the service signs it when it runs") from behind
    except TreeDiffers as differs:
        raise Finding(str(differs)) from differs


def run(arguments: Namespace) -> int:
    match_id, out = match_id_of(arguments.match), writable(arguments.out)
    content = make_proof(arguments, match_id)
    proof = parse_proof_file(content)
    assert out is not None
    with writing(out):
        out.write_bytes(content)
    header, checkpoint = proof.log.header, proof.checkpoint
    cosigned = [key.name for key in proof.keys[1:]]
    lines = [
        f"match      {header.match} of {header.title}",
        f"entries    {header.entries}, head {header.head}",
        f"for        {header.redacted_for or 'everybody: nothing is redacted'}",
        f"tree       {checkpoint.origin}, {checkpoint.size} leaves",
        f"witnesses  {', '.join(cosigned) or 'none has cosigned'}",
        f"written    {out}",
    ]
    document = {
        "out": str(out),
        "header": header,
        "origin": checkpoint.origin,
        "size": checkpoint.size,
        "witnesses": cosigned,
    }
    answer(arguments.json)(document, "\n".join(lines))
    return SUCCESS
