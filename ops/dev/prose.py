"""Measure the English of the repository: `python -m ops.dev.prose [PATH…]`.

Counts the phrases of `prose.toml` in docstrings, comments, Markdown and English message ids. Without a path it prints
one line per room: words, and phrases per 1,000 words. With paths it prints every line that contains a phrase.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[2]
LISTS: Final = tomllib.loads(Path(__file__).with_suffix(".toml").read_text())
PHRASES: Final = [
    (re.compile(rf"\b(?:{'|'.join(each['words'])})\b", re.IGNORECASE), each["instead"]) for each in LISTS["phrase"]
]
MARK: Final = re.compile(
    rf"\b(?:{'|'.join(word for each in LISTS['phrase'] for word in each['words'])})\b", re.IGNORECASE
)
OPENING: Final = re.compile(r"(?:What|Who|Whether what|Where|How|Those|That of|One that|All that)\b")
"""Openings that describe a thing by a question instead of naming it."""
WORD: Final = re.compile(r"[A-Za-z][A-Za-z']*")
MESSAGE: Final = re.compile(r'msgid(?:_plural)? "(.*)"')
IRREGULAR: Final = "|".join(LISTS["participles"]["irregular"])
PREPOSITIONS: Final = "|".join(LISTS["participles"]["prepositions"])
PARTICIPLE: Final = re.compile(rf"_*(?P<word>{IRREGULAR}|[a-z]{{2,}}ed)(?:_(?:{PREPOSITIONS}))*")
VERBS: Final = frozenset(LISTS["participles"]["verbs"])


class Text(NamedTuple):
    """A docstring, comment, line of Markdown or message id, and the number of its first line."""

    line: int
    content: str
    is_docstring: bool = False


class Count(NamedTuple):
    """Words and marked phrases of a text or of many."""

    words: int = 0
    marked: int = 0

    def __add__(self, other: object) -> Count:
        assert isinstance(other, Count)
        return Count(self.words + other.words, self.marked + other.marked)

    @property
    def rate(self) -> float:
        """Marked phrases per 1,000 words."""
        return 1000 * self.marked / self.words if self.words else 0.0


def python_texts(source: str) -> Iterator[Text]:
    """Yield docstrings, docstrings of attributes included, then comments."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield Text(node.lineno, node.value.value, True)
    if "#" not in source:
        return
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield Text(token.start[0], token.string.lstrip("#! "))


def markdown_texts(source: str) -> Iterator[Text]:
    """Yield the lines outside code blocks, without inline code."""
    is_code = False
    for number, line in enumerate(source.splitlines(), 1):
        if line.lstrip().startswith("```"):
            is_code = not is_code
        elif not is_code:
            yield Text(number, re.sub(r"`[^`]*`", "", line))


def message_texts(source: str) -> Iterator[Text]:
    """Yield the message ids of a catalogue, line by line."""
    for number, line in enumerate(source.splitlines(), 1):
        if found := MESSAGE.match(line):
            yield Text(number, found[1])


def texts_of(path: Path) -> list[Text]:
    """Return the English texts of a Python, Markdown or catalogue file.

    A message id counts once, in the German catalogue; other catalogues have none.
    """
    source = path.read_text()
    if path.suffix == ".py":
        return [*python_texts(source)]
    if path.suffix == ".md":
        return [*markdown_texts(source)]
    return [*message_texts(source)] if "de" in path.parts else []


def marks_in(text: Text) -> list[str]:
    """Return the marked phrases of a text and, for a docstring, its opening if that is a question."""
    marks = [found[0] for found in MARK.finditer(text.content)]
    opening = OPENING.match(text.content.strip()) if text.is_docstring else None
    return [*marks, *([opening[0]] if opening else ())]


def count(texts: Iterable[Text]) -> Count:
    """Count words and marked phrases."""
    return sum((Count(len(WORD.findall(text.content)), len(marks_in(text))) for text in texts), Count())


def files(*paths: str) -> list[Path]:
    """Return the tracked Python, Markdown and catalogue files below these paths or everywhere.

    Vendored files are left out.
    """
    command = ["git", "ls-files", "-z", "--", *paths]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    found = (ROOT / name for name in listed.split("\0") if name.endswith((".py", ".md", ".po")))
    return [path for path in found if path.is_file() and "_vendor" not in path.parts]


def room_of(path: Path) -> str:
    """Return the room of a file: its first two folders, or the file itself where there are fewer."""
    return "/".join(path.relative_to(ROOT).parts[:2])


def rooms() -> dict[str, Count]:
    """Count every room, sorted by name."""
    counts = dict[str, Count]()
    for path in files():
        room = room_of(path)
        counts[room] = counts.get(room, Count()) + count(texts_of(path))
    return dict(sorted(counts.items()))


def is_bare_participle(name: str) -> bool:
    """Report whether a name is a participle alone, such as `told` or `looked_at`."""
    found = PARTICIPLE.fullmatch(name)
    return found is not None and found["word"] not in VERBS


def print_marks(paths: Iterable[Path]) -> None:
    """Print every text with a marked phrase, and the suggestions for it."""
    for path in paths:
        for text in texts_of(path):
            if marks := marks_in(text):
                hints = {instead for phrase, instead in PHRASES if phrase.search(text.content)}
                print(f"{path.relative_to(ROOT)}:{text.line}: {', '.join(marks)} ({'; '.join(sorted(hints))})")


def main(arguments: list[str]) -> None:
    """Print the rate of every room, most marks first, and of all; or the marked lines of these paths."""
    if arguments:
        print_marks(files(*arguments))
        return
    counted = rooms()
    for room, each in sorted(counted.items(), key=lambda item: -item[1].marked):
        print(f"{each.rate:6.1f} per 1,000  {each.words:7d} words  {room}")
    total = sum(counted.values(), Count())
    print(f"{total.rate:6.1f} per 1,000  {total.words:7d} words  all")


if __name__ == "__main__":
    main(sys.argv[1:])
