"""A small kind of stream for tests: a diary that is opened and written into."""

from typing import Final

from domain.kernel.values import Value, replace, tagger
from domain.matches.log.records import Kind, Record


class DiaryFact(Value, frozen=True, tag_field="type", tag=tagger("diary"), omit_defaults=True):
    """Base of what happens to a diary."""


class DiaryOpened(DiaryFact, frozen=True):
    owner: str


class PageWritten(DiaryFact, frozen=True):
    text: str


class Diary(Value, frozen=True):
    owner: str
    pages: tuple[str, ...] = ()


def evolve(diary: Diary | None, _record: Record, fact: DiaryOpened | PageWritten) -> Diary:
    if isinstance(fact, DiaryOpened):
        return Diary(fact.owner)
    assert diary is not None
    return replace(diary, pages=(*diary.pages, fact.text))


DIARY: Final[Kind[DiaryOpened | PageWritten, Diary]] = Kind("diary", DiaryOpened | PageWritten, evolve)
OTHER: Final[Kind[DiaryOpened | PageWritten, Diary]] = Kind("other", DiaryOpened | PageWritten, evolve)
