"""Repeats every draw of a LOG file from the revealed server seed and the seats' shares.

Written from docs/specifications/chance.md and docs/specifications/log.md alone: it uses only the standard library and
nothing of this project. Usage: python ops/check_chance.py LOG; exits with 0 if every draw matches, with 1 and the first
mismatch otherwise.
"""

import hashlib
import hmac
import json
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

Json = dict[str, Any]
FORMATS = ("esporles.log/1", "esporles.log/2", "esporles.log/3")


class ChanceFault(Exception):
    """A fault with the number of its entry."""

    def __init__(self, entry: int, why: str) -> None:
        super().__init__(f"entry {entry}: {why}")


def stream(key: bytes, label: str) -> Iterator[int]:
    """Yield big-endian 32-bit numbers of HKDF-Expand(key, label), 2,040 at most."""
    block = b""
    for index in range(1, 256):
        block = hmac.new(key, block + label.encode() + bytes([index]), hashlib.sha256).digest()
        for start in range(0, 32, 4):
            yield int.from_bytes(block[start : start + 4], "big")


def below(numbers: Iterator[int], bound: int) -> int:
    """Return the next number reduced to 0..bound-1, skipping numbers from the largest multiple of the bound on."""
    limit = 2**32 - 2**32 % bound
    return next(number for number in numbers if number < limit) % bound


def match_key(seed: bytes, shares: Sequence[bytes], match_id: UUID) -> bytes:
    """Derive the key by HKDF-SHA256 from seed and shares in seat order; the salt is the match whose chance this is."""
    pseudorandom_key = hmac.new(match_id.bytes, seed + b"".join(shares), hashlib.sha256).digest()
    return hmac.new(pseudorandom_key, b"\x01", hashlib.sha256).digest()


def opens(commitment: str, salt: str, value: object) -> bool:
    """Return whether the commitment is SHA-256 of the salt and the value's JSON without spaces."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(bytes.fromhex(salt) + text.encode()).hexdigest() == commitment


def open_hidden(hidden: Json, entry: Json) -> Any:
    """Return the value of a commitment from the entry's openings; raise `ChanceFault` if none opens it."""
    for opening in entry.get("secrets", []):
        if opening["commitment"] == hidden["commitment"]:
            if not opens(hidden["commitment"], opening["salt"], opening["value"]):
                raise ChanceFault(entry["version"], f"the opening of {hidden['commitment']} does not match it")
            return opening["value"]
    raise ChanceFault(entry["version"], f"{hidden['commitment']} is not opened in this log; chance cannot be checked")


def field(draw: Json, name: str, entry: Json) -> Any:
    """Return a field of a draw, whether public or hidden; raise `ChanceFault` for a hidden one that is not opened."""
    hidden = draw.get("hidden" + name.capitalize())
    return draw[name] if hidden is None else open_hidden(hidden, entry)


class Luck:
    """Seed, shares and key of a line, collected from its entries."""

    def __init__(self) -> None:
        self.seed, self.began, self.form, self.seats, self.closed = b"", UUID(int=0), 1, 0, False
        self.players: dict[int, str] = {}
        self.committed: dict[int, str] = {}
        self.shares: dict[int, bytes] = {}
        self.labels: set[str] = set()

    def follow(self, entry: Json) -> None:
        """Apply the parts of an entry about seed, seats and shares; draws are not checked.

        Raises `ChanceFault` for a seed that is not opened and a share that does not fit.
        """
        body = entry["body"]
        kind, seat = body["type"], body.get("seat", -1)
        if "seed" in body:
            self.begin(body, entry)
        elif kind in ("seat_taken", "share_committed"):
            hidden = body.get("share")
            self.committed[seat] = body.get("commitment", "") if hidden is None else hidden["commitment"]
            self.shares.pop(seat, None)
        elif kind in ("seat_left", "seat_replaced") and not self.labels:
            self.shares.pop(seat, None)
        elif kind == "table_closed":
            self.closed = True
        elif kind == "seat_ready" and "share" in body:
            self.open_share(seat, body, entry["version"])
        if kind in ("seat_taken", "seat_replaced"):
            self.players[seat] = body.get("actor", body["by"])

    def begin(self, body: Json, entry: Json) -> None:
        """Start new chance: at the start of a match, of a fork with separate chance, or after a player left.

        From format 2 on commitments and shares are discarded. Raises `ChanceFault` if the seed is not opened.
        """
        self.seed, self.began, self.closed = (
            bytes.fromhex(open_hidden(body["seed"], entry)),
            UUID(entry["match"]),
            False,
        )
        if body["type"] == "match_forked":
            self.players = {seat: player for seat, player in enumerate(body["seats"]) if player}
        elif body["type"] == "match_opened":
            self.seats = body["seats"]
        self.form = self.form if body["type"] == "table_reopened" else body.get("format", 1)
        if self.form > 1:
            self.committed, self.shares = {}, {}

    def open_share(self, seat: int, body: Json, version: int) -> None:
        """Check a share against its commitment and store it; raise `ChanceFault` if they differ.

        From format 2 on, raises it also before the table is closed.
        """
        prefix = self.began.bytes + seat.to_bytes(4, "big")
        secret = bytes.fromhex(body["salt"] + body["share"]) + self.players[seat].encode()
        is_committed = hashlib.sha256(b"esporles.share/2\0" + prefix + secret).hexdigest() == self.committed[seat]
        if self.form > 1 and not self.closed:
            raise ChanceFault(version, f"seat {seat} opens its share before all shares are committed")
        if not (is_committed if self.form > 1 else opens(self.committed[seat], body["salt"], body["share"])):
            raise ChanceFault(version, f"the share of seat {seat} does not match its commitment")
        self.shares[seat] = bytes.fromhex(body["share"])

    def key(self) -> bytes:
        """Return the key of draws, from the seed and the shares of all seats.

        From format 2 on missing shares are derived from the seed, in format 1 they raise `KeyError`.
        """
        shares = []
        for seat in range(self.seats):
            info = (2 * seat + 2).to_bytes(8, "big") + seat.to_bytes(4, "big")
            derived = hmac.new(self.seed, b"share/" + self.began.bytes + info + b"\x01", hashlib.sha256).digest()
            shares.append(self.shares[seat] if self.form == 1 else self.shares.get(seat, derived))
        return match_key(self.seed, shares, self.began)

    def check(self, draw: Json, entry: Json) -> None:
        """Repeat one draw; raise `ChanceFault` if it differs, its label was used before, or its form is not allowed.

        A hidden outcome or pool must be opened in the entry.
        """
        version, label, size, count = entry["version"], draw["label"], draw["poolSize"], draw["count"]
        if label in self.labels:
            raise ChanceFault(version, f"the label {label!r} was already used")
        self.labels.add(label)
        if not 0 <= count <= 10_000 or not 0 < size <= 10_000:
            raise ChanceFault(version, f"the draw {label!r} takes {count} out of {size}")
        numbers, outcome = stream(self.key(), label), field(draw, "outcome", entry)
        if draw["kind"] == "roll":
            recomputed = [1 + below(numbers, size) for _ in range(count)]
        elif draw["kind"] == "draw":
            pool = list(field(draw, "pool", entry))
            if len(pool) != size:
                raise ChanceFault(version, f"the pool of {label!r} holds {len(pool)} items, not {size}")
            recomputed = [pool.pop(below(numbers, len(pool))) for _ in range(count)]
        else:
            raise ChanceFault(version, f"{label!r} has the unknown kind {draw['kind']!r}")
        if recomputed != outcome:
            raise ChanceFault(version, f"the draw {label!r} results in {recomputed}, but the log has {outcome}")


def check_header(lines: Sequence[bytes]) -> None:
    """Raise `ChanceFault` unless the first line is the header of a log with the stated number of entries."""
    try:
        header = json.loads(lines[0])
        if header["format"] not in FORMATS or header["entries"] != len(lines) - 1:
            raise ChanceFault(0, f"the header does not match a log of {len(lines) - 1} entries")
    except (ValueError, LookupError, TypeError) as error:
        raise ChanceFault(0, f"not the header of a log ({type(error).__name__}: {error})") from error


def check_digest(entry: Json, line: bytes, head: bytes) -> bytes:
    """Return the digest of an entry; raise `ChanceFault` if it or the link to the previous one, `head`, is wrong."""
    since = datetime.fromisoformat(entry["timestamp"]) - datetime(1970, 1, 1, tzinfo=UTC)
    numbers = entry["version"].to_bytes(8, "big") + (since // timedelta(microseconds=1)).to_bytes(8, "big", signed=True)
    body = line[line.index(b'"body":') + 7 : line.index(b',"secrets":[{') if "secrets" in entry else -1]
    digest = hashlib.sha256(b"esporles.entry/1\0" + UUID(entry["match"]).bytes + numbers + head + body).digest()
    if (entry["previous"], entry["digest"]) != (head.hex(), digest.hex()):
        raise ChanceFault(entry["version"], "its digest does not fit its content or the entry before")
    return digest


def check(lines: Sequence[bytes]) -> int:
    """Repeat all draws of a log and return their number; raise `ChanceFault` at the first mismatch.

    Also checks the chain of digests, and raises it for lines that are no entries.
    """
    luck, count, head = Luck(), 0, bytes(32)
    check_header(lines)
    for number, line in enumerate(lines[1:], start=1):
        try:
            entry = json.loads(line)
            head = check_digest(entry, line, head)
            luck.follow(entry)
            for draw in entry["body"].get("draws", []):
                luck.check(draw, entry)
                count += 1
        except (ValueError, LookupError, TypeError, AttributeError, StopIteration) as error:
            raise ChanceFault(number, f"not an entry of a log ({type(error).__name__}: {error})") from error
    return count


def main(arguments: Sequence[str]) -> int:
    """Check the log named on the command line and print the number of draws, or the first fault on stderr.

    Returns 0, 1 for a fault or an unreadable file, and 2 unless exactly one path is given.
    """
    if len(arguments) != 1:
        print("usage: check_chance.py LOG", file=sys.stderr)
        return 2
    try:
        lines = Path(arguments[0]).read_bytes().splitlines()
        print(f"{check(lines)} draws in {len(lines) - 1} entries match seed and shares")
    except OSError as error:
        print(f"cannot read {arguments[0]}: {error.strerror}", file=sys.stderr)
        return 1
    except ChanceFault as wrong:
        print(wrong, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
