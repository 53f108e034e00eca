"""Files that are made to keep a verifier busy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from tests.transparency.damaged import GOLDEN
from tests.transparency.logs import Log, content, rechain, written

SECONDS_MAX: Final = 30.0
"""Far more than any takes where nothing else runs (the longest a second; on a busy machine eight): who is still busy
then hangs."""
LOG: Final = GOLDEN / "el_grande-interrupted.jsonl"


def honest(path: Path = LOG) -> Log:
    return Log(path.read_bytes())


def with_line(line: bytes, index: int = 1) -> bytes:
    lines = LOG.read_bytes().split(b"\n")
    lines[index] = line
    return b"\n".join(lines)


def with_body(kind: str, **fields: Any) -> bytes:
    log = honest()
    index = log.indices(kind)[0]
    log.body(index).update(fields)
    rechain(log, index)
    return content(log)


def many_pauses() -> bytes:
    """Sixty thousand, and then a match that is over without an end."""
    log = honest()
    started = log.indices("match_started")[0]
    del log.entries[started + 1 :]
    for number in range(60_000):
        at = {
            "match": log.header["match"],
            "version": 0,
            "timestamp": "2000-01-01T00:01:00Z",
            "previous": "",
            "digest": "",
        }
        log.entries.append({**at, "body": {"type": ("paused", "resumed")[number % 2], "by": "service"}})
    log.entries.append({**log.entries[-1], "body": {"type": "paused", "by": "nobody at all"}})
    rechain(log, started)
    return content(log)


def many_draws() -> bytes:
    log = honest()
    index = log.indices("match_started")[0]
    log.body(index)["draws"] = [
        {"label": f"x/{number}", "kind": "roll", "poolSize": 6, "count": 2040, "outcome": [1] * 2040}
        for number in range(900)
    ]
    rechain(log, index)
    return content(log)


def proof_header(**fields: Any) -> bytes:
    header = {"format": "esporles.proof/1", "match": "", "entries": 1, "head": "", "origin": "x", "size": 9}
    return written(header | fields) + b"\n"


HOSTILE: Final[Mapping[str, Callable[[], bytes]]] = {
    "nothing": lambda: b"",
    "no json": lambda: b"hello\n",
    "a line of 10 MB": lambda: with_line(b'{"x":"' + b"x" * 10_000_000 + b'"}'),
    "a header of 10 MB": lambda: with_line(b'{"x":"' + b"x" * 10_000_000 + b'"}', 0),
    "a depth of 10,000": lambda: with_line(b"[" * 10_000 + b"]" * 10_000),
    "a depth of a million": lambda: with_line(b"[" * 1_000_000 + b"]" * 1_000_000),
    "a deep body": lambda: with_line(b'{"a":' * 10_000 + b"1" + b"}" * 10_000),
    "a long number": lambda: with_line(b'{"x":' + b"9" * 3_000_000 + b"}"),
    "a count of 10^12": lambda: with_body("match_opened", seats=10**12),
    "as many entries as nobody has": lambda: LOG.read_bytes().replace(b'"entries":143', b'"entries":1000000000000', 1),
    "60,000 pauses": many_pauses,
    "long draws": many_draws,
    "more than 64 MB": lambda: LOG.read_bytes() + b" " * (64 * 1024 * 1024),
    "64 MB of newlines": lambda: b"\n" * (64 * 1024 * 1024),
    "64 MB of short lines": lambda: LOG.read_bytes().split(b"\n")[0] + b"\n" + b"{}\n" * (20 * 1024 * 1024),
    "half of a surrogate pair": lambda: with_line(b'{"x":"\\ud800"}'),
    "no UTF-8": lambda: with_line(b'{"x":"\xff"}'),
    "a name twice": lambda: with_line(b'{"x":1,"x":1}'),
    "no number": lambda: with_line(b'{"x":NaN}'),
    "a byte order mark": lambda: b"\xef\xbb\xbf" + LOG.read_bytes(),
    "a prototype": lambda: with_line(b'{"__proto__":{"entries":1},"constructor":1}'),
    "a proof of nothing": proof_header,
    "a proof of 10^12": lambda: proof_header(entries=10**12),
    "a proof of negative size": lambda: proof_header(size=-1) + b"{}\n" * 4,
    "a proof that is a log": lambda: proof_header() + LOG.read_bytes(),
}
"""What a file of each is made by; every one is to end in a sentence within `SECONDS_MAX`."""
