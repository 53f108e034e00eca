"""The history of a log's keys: its own file, and refusals by the histories in other files.

Specified in `docs/specifications/keys.md`.
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from domain.kernel.values import Value
from domain.matches.errors import LogFault
from domain.matches.log.log_files import LINE_MAX
from domain.matches.verification.proof_report import ProofShown
from domain.proofs.labels import read_log
from domain.proofs.match import Trust, examine_note, require_in_tree
from domain.proofs.match_file import KIND, LogLine, bytes_in, json_lines, read_line
from domain.proofs.service_keys import chain_in, verified_chain
from domain.transparency.checkpoints import parse_signed
from domain.transparency.errors import FalseProof, Malformed
from domain.transparency.key_chain import KeyChain, KeyHistory, notes_in, require_same_history
from domain.transparency.merkle import HASH_BYTES
from domain.transparency.notes import Note, VerifierKey, parse_key

FORMAT: Final = "esporles.keys/1"
HISTORY_BYTES_MAX: Final = LINE_MAX
REPLACED: Final = "its checkpoint of {size} leaves is signed with {key}, which was not valid for that size: {source}"


class HistoryFile(Value, frozen=True):
    """The announcements of a log, the hashes that lead from them to the root, and the signed checkpoint."""

    format: str
    hashes: tuple[str, ...]
    checkpoint: str
    keys: tuple[str, ...]
    log: tuple[LogLine, ...]


class KnownKeys(NamedTuple):
    """The verified history of a log's keys up to a checkpoint, and where it is from."""

    chain: KeyChain
    history: KeyHistory
    source: str

    @property
    def names(self) -> frozenset[str]:
        """The names that the log has had."""
        return frozenset(term.key.name for term in self.chain.terms)


def history_bytes(log: Sequence[LogLine], hashes: Iterable[bytes], note: Note, keys: Iterable[VerifierKey]) -> bytes:
    """Encode the history; without announcements there are no hashes."""
    texts = tuple(each.hex() for each in hashes)
    return json_lines([HistoryFile(FORMAT, texts, str(note), tuple(map(str, keys)), tuple(log))])


def read_history(content: bytes, source: str, trust: Trust = None) -> KnownKeys:
    """Parse and verify the history of a log's keys; raise `LogFault` if it is malformed, false or not trusted.

    `source` names it in messages.
    """
    file = read_line(content.removesuffix(b"\n"), HistoryFile, None, "the history of keys")
    if file.format != FORMAT:
        raise LogFault(None, KIND, f"unknown format {file.format!r}; expected {FORMAT}")
    hashes = tuple(bytes_in(each, HASH_BYTES, None) for each in file.hashes)
    try:
        note, checkpoint, keys = parse_signed(file.checkpoint, file.keys)
    except Malformed as fault:
        raise LogFault(None, KIND, f"its checkpoint: {fault}") from fault
    log = read_log(file.log, checkpoint.size)
    chain = chain_in(log, keys[0])
    examine_note(note, checkpoint, keys, trust, chain)
    if log.leaves or hashes:
        require_in_tree((), log, checkpoint, hashes)
    return KnownKeys(chain, KeyHistory(notes_in(log.announced), checkpoint.size), source)


def keys_shown(shown: ProofShown, source: str) -> KnownKeys:
    """Return the history that a verified proof file shows."""
    notes = tuple((each.leaf, each.note) for each in shown.key_notes)
    return KnownKeys(verified_chain(notes, parse_key(shown.key)), KeyHistory(notes, shown.size), source)


def find_refusal(keys: KnownKeys, known: KnownKeys) -> str | None:
    """Return why the history of a file is refused by a reader of another one, or None; other logs refuse nothing."""
    if keys.names.isdisjoint(known.names):
        return None
    try:
        require_same_history((keys.history, known.history))
    except FalseProof as fault:
        return f"{fault} ({known.source})"
    size, key = keys.history.size, keys.chain.current
    term = known.chain.term_for(size)
    if known.history.size > size and (term is None or term.key != key):
        return REPLACED.format(size=size, key=key, source=known.source)
    return None
