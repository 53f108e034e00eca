"""`esporles study`: export a study as a text file or report, or import it."""

from argparse import ArgumentParser, Namespace
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

from domain.eventstore.application import Matches
from domain.matches.errors import LogFault, MatchError
from domain.matches.log.log_files import log_bytes
from domain.studies import commands
from domain.studies.facts import PlaceMarked
from domain.studies.file import StudyFile, parse_study, study_bytes
from domain.studies.report import report
from domain.studies.state import STUDY
from ops.console import SUCCESS, Finding, WrongUsage, add_data_option, result_writer
from ops.matches import import_match, writable, writing
from ops.players import players_of
from ops.service_client import ServiceAddress, fetch, find_address
from ops.stores import open_matches, read_settings
from workers.bots import Bots


def arguments(parser: ArgumentParser) -> None:
    """Add the action (`export`, `import`), STUDY, `--out`, `--log`, `--report` and `--data`."""
    parser.add_argument("what", choices=("export", "import"))
    parser.add_argument("study", metavar="STUDY", help="export: the id of the study; import: the file")
    parser.add_argument("--out", type=Path, metavar="FILE", help="export: the file to write")
    parser.add_argument("--log", action="store_true", help="export: include the log of the match")
    parser.add_argument("--report", action="store_true", help="export: write a readable report in Markdown instead")
    add_data_option(parser)


def study_id_of(text: str) -> UUID:
    """Parse the id of a study; raise `WrongUsage` if it is no UUID."""
    try:
        return UUID(text)
    except ValueError:
        raise WrongUsage(f"invalid study id {text!r}") from None


def export_study(arguments: Namespace, study_id: UUID) -> bytes:
    """Return a study as a file or, with `--report`, as Markdown, from the running service or else its store.

    Raises `Finding` if it is refused.
    """
    settings = read_settings(arguments)
    service = find_address(settings.data)
    if service is not None:
        kind = "report" if arguments.report else f"file?log={'true' if arguments.log else 'false'}"
        return fetch(service, "GET", f"/api/studies/{study_id}/{kind}")
    with open_matches(settings, players_of(arguments).titles, to_write=False) as matches:
        try:
            if arguments.report:
                study = matches.streams.get(STUDY, study_id).state
                return report(study, matches.get(study.match), {}).encode()
            return study_bytes(commands.export_study(matches, study_id, with_log=arguments.log))
        except MatchError as error:
            raise Finding(str(error)) from error


def export(arguments: Namespace) -> int:
    """Write a study to `--out`, print its id, file and bytes, and return `SUCCESS`.

    Raises `WrongUsage` without a writable `--out`, for a bad id or both `--log` and `--report`; `Finding` if refused.
    """
    if arguments.out is None:
        raise WrongUsage("export requires --out FILE")
    if arguments.log and arguments.report:
        raise WrongUsage("--log and --report cannot be combined")
    study_id, out = study_id_of(arguments.study), writable(arguments.out)
    content = export_study(arguments, study_id)
    assert out is not None
    with writing(out):
        out.write_bytes(content)
    document = {"study": str(study_id), "out": str(out), "bytes": len(content)}
    result_writer(arguments.json)(document, "\n".join(f"{name:<8} {value}" for name, value in document.items()))
    return SUCCESS


def read(path: Path) -> StudyFile:
    """Read the file of a study; raise `WrongUsage` if it is missing, `Finding` if it is no study."""
    if not path.is_file():
        raise WrongUsage(f"no such file: {path}")
    try:
        return parse_study(path.read_bytes())
    except LogFault as fault:
        raise Finding(f"{path}: {fault}") from fault


def import_here(matches: Matches, file: StudyFile, bots: Bots) -> None:
    """Import a study into the store, after the log of its match if the file includes it.

    Raises `MatchError` if either is refused; a log that was imported stays.
    """
    at = datetime.now(UTC)
    if file.log is not None:
        import_match(matches, file.log, bots, at=at)
    commands.import_study(matches, file, at=at)


def import_there(service: ServiceAddress, file: StudyFile) -> None:
    """Import a study through the running service, after the log of its match if the file includes it.

    Raises `Finding` if either is refused; a log that was imported stays.
    """
    if file.log is not None:
        fetch(service, "POST", "/api/logs", log_bytes(file.log), "application/jsonl")
    fetch(service, "POST", "/api/studies", study_bytes(file), "application/jsonl")


def import_(arguments: Namespace) -> int:
    """Import a study through the running service or else into its store; print study, match and records.

    Returns `SUCCESS`. Raises `WrongUsage` if the file is missing, `Finding` if it is refused, or if it marks parts of
    the board and no service runs to check them.
    """
    path, settings = Path(arguments.study), read_settings(arguments)
    file = read(path)
    service = find_address(settings.data)
    if service is not None:
        import_there(service, file)
    elif any(isinstance(fact, PlaceMarked) and fact.shapes for fact in file.facts):
        raise Finding(f"{path}: it marks parts of the board, which only the running service can check; start it first")
    else:
        with open_matches(settings, players_of(arguments).titles, to_write=True) as matches:
            try:
                import_here(matches, file, players_of(arguments).bots)
            except MatchError as error:
                raise Finding(f"{path}: {error}") from error
    header = file.header
    document = {"study": str(header.study), "match": str(header.match), "records": header.records}
    result_writer(arguments.json)(document, "\n".join(f"{name:<8} {value}" for name, value in document.items()))
    return SUCCESS


def run(arguments: Namespace) -> int:
    """Run the command; return its exit status."""
    return export(arguments) if arguments.what == "export" else import_(arguments)
