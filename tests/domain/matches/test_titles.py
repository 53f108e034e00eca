"""Fact readers: one per title, created before threads use it."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from domain.eventstore.opening import open_store
from domain.eventstore.store_settings import store_env
from domain.kernel.title import Title, title_at
from domain.kernel.values import replace
from domain.matches.log.entries import Entry, redact
from domain.matches.titles import codec_reader, read_with_hidden, reader_of
from domain.titles import la_granja
from tests.domain.matches.match_helpers import TOY, toy_log

AT_ONCE: Final = """
import sys, threading
from datetime import datetime
from uuid import UUID
import msgspec
from domain.kernel.decoding import prepare_types
from domain.kernel.rules import Codec
from domain.kernel.title import Title
from domain.matches.log.entries import Entry, Opening
from domain.matches.titles import prepare_readers, read_fact

parts = b'"action":{"a1":1},"effects":[{"a1":1},{"a11":3}],"hiddenAct":{"commitment":"","audience":[]}'
body = msgspec.Raw(b'{"type":"action_taken","seat":0,"by":"anna",' + parts + b'}')
act = msgspec.Raw(b'{"action":{"a1":1,"a11":2},"signed":{"key":"","signature":""}}')
entry = Entry(
    originator_id=UUID(int=1), originator_version=1, timestamp=datetime.min, previous=bytes(32), body=body,
    secrets=(Opening("", "", act),),
)
kinds = [msgspec.defstruct(f"Part{n}", [(f"a{m}", int | None, None) for m in range(12)]) for n in range(200)]
codecs = [Codec(kind, kind, kind, kind) for kind in kinds]
titles = {n: Title(rules=None, codec=codec, printed_name="", words=None) for n, codec in enumerate(codecs)}
prepare_types()
if "prepared" in sys.argv:
    prepare_readers(titles)
sys.setswitchinterval(1e-6)
gate = threading.Barrier(4)

def read():
    for title in titles.values():
        gate.wait()
        read_fact(title, entry)

threads = [threading.Thread(target=read) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


def test_threads_that_ask_for_prepared_readers_at_once_do_not_end_the_process() -> None:
    done = subprocess.run([sys.executable, "-c", AT_ONCE, "prepared"], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")


def test_opening_a_store_prepares_the_readers_of_its_titles_for_all_versions_of_the_rules(tmp_path: Path) -> None:
    codec = replace(TOY.codec, reveals=frozenset({type(None)}))
    title = Title(rules=TOY.rules, codec=codec, earlier={7: la_granja}, printed_name="Toy", words=TOY.words)
    open_store(store_env(tmp_path / "log.db"), titles={"toy": title}).close()
    misses = codec_reader.cache_info().misses

    readers = {reader_of(title), reader_of(title_at(title, 7))}

    assert len(readers) == 1
    assert codec_reader.cache_info().misses == misses


def test_a_reader_serves_threads_with_different_openings() -> None:
    entries = toy_log().entries
    readers: list[int | None] = [None, 0, 1, 2]
    read = [[redact(entry, reader) for entry in entries] * 20 for reader in readers]
    alone = [[list_known(entry) for entry in part] for part in read]

    with ThreadPoolExecutor(len(read)) as threads:
        together = list(threads.map(lambda part: [list_known(entry) for entry in part], read))

    assert together == alone
    assert len({str(part) for part in alone}) == len(readers)


def list_known(entry: Entry) -> list[bool]:
    """Return which hidden values of an entry are known."""
    return [hidden.is_known for hidden in read_with_hidden(TOY, entry).hidden]
