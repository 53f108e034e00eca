"""The state of a study: an immutable value, evolved by facts."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from domain.kernel.values import Value, replace
from domain.matches.facts import Actor
from domain.matches.log.records import Kind, Record
from domain.studies.facts import (
    ChapterNamed,
    CollaboratorAdded,
    CollaboratorRemoved,
    CommentRemoved,
    CommentWritten,
    Fact,
    Glyph,
    PlaceMarked,
    Shape,
    StepsAdded,
    StudyKind,
    StudyOpened,
    StudyPlace,
    StudyRenamed,
    StudyStep,
    VariationAdded,
    VariationCut,
    VariationPromoted,
    Visibility,
    VisibilityChanged,
)


class Comment(Value, frozen=True):
    """A comment."""

    number: int
    at: StudyPlace
    text: str
    by: Actor


class Marks(Value, frozen=True):
    """The marks of a place."""

    at: StudyPlace
    glyphs: tuple[Glyph, ...]
    shapes: tuple[Shape, ...]


class Variation(Value, frozen=True):
    """A variation."""

    number: int
    at: StudyPlace
    steps: tuple[StudyStep, ...]
    by: Actor


class Chapter(Value, frozen=True):
    """A chapter."""

    entry: int
    title: str


class Study(Value, frozen=True):
    """The state of a study; comments, marks and variations in order of creation."""

    match: UUID
    head: str
    entries: int
    title: str
    owner: Actor
    visibility: Visibility
    collaborators: tuple[Actor, ...] = ()
    comments: tuple[Comment, ...] = ()
    marks: tuple[Marks, ...] = ()
    variations: tuple[Variation, ...] = ()
    kind: StudyKind = "notes"
    numbers_used: int = 0
    """The highest number in use; comments and variations are numbered together, and no number is reused."""
    chapters: tuple[Chapter, ...] = ()
    """Sorted by entry."""
    past_collaborators: tuple[Actor, ...] = ()
    """Removed collaborators. Marks and titles have no author, so their content may remain."""

    def comment(self, number: int) -> Comment | None:
        """Return the comment of this number, or None. Unused numbers return at once, which keeps imports linear."""
        if number > self.numbers_used:
            return None
        return next((each for each in self.comments if each.number == number), None)

    def variation(self, number: int) -> Variation | None:
        """Return the variation of this number, or None."""
        if number > self.numbers_used:
            return None
        return next((each for each in self.variations if each.number == number), None)

    def chapter(self, entry: int) -> Chapter | None:
        """Return the chapter at an entry, or None."""
        return next((each for each in self.chapters if each.entry == entry), None)

    def siblings_of(self, variation: Variation) -> tuple[Variation, ...]:
        """Return the variations that start at the same place, in order."""
        return tuple(each for each in self.variations if each.at == variation.at)

    def may_write(self, person: Actor) -> bool:
        """Return whether a person is the owner or a collaborator."""
        return person == self.owner or person in self.collaborators

    def may_read(self, person: Actor) -> bool:
        """Return whether a person may read the study by its visibility."""
        return self.visibility != "private" or self.may_write(person)


def study_opened(fact: StudyOpened) -> Study:
    """Return a new study."""
    return Study(fact.match, fact.head, fact.entries, fact.title, fact.by, fact.visibility, kind=fact.kind)


def comment_written(study: Study, fact: CommentWritten) -> Study:
    """Apply a comment; it replaces one of the same number."""
    comment = Comment(fact.comment, fact.at, fact.text, fact.by)
    if study.comment(fact.comment) is None:
        return replace(study, comments=(*study.comments, comment), numbers_used=max(study.numbers_used, fact.comment))
    comments = tuple(comment if each.number == fact.comment else each for each in study.comments)
    return replace(study, comments=comments)


def place_marked(study: Study, fact: PlaceMarked) -> Study:
    """Apply the marks of a place; they replace earlier ones, and empty marks remove them."""
    remaining = tuple(each for each in study.marks if each.at != fact.at)
    marks = (Marks(fact.at, fact.glyphs, fact.shapes),) if fact.glyphs or fact.shapes else ()
    return replace(study, marks=(*remaining, *marks))


def variation_added(study: Study, fact: VariationAdded) -> Study:
    """Apply a new variation."""
    variation = Variation(fact.variation, fact.at, fact.steps, fact.by)
    used = max(study.numbers_used, fact.variation)
    return replace(study, variations=(*study.variations, variation), numbers_used=used)


def steps_added(study: Study, fact: StepsAdded) -> Study:
    """Apply an extension of a variation."""
    return replace(
        study,
        variations=tuple(
            replace(each, steps=(*each.steps, *fact.steps)) if each.number == fact.variation else each
            for each in study.variations
        ),
    )


def variation_cut(study: Study, fact: VariationCut) -> Study:
    """Apply a cut; content nested in removed steps, and a variation without steps, are removed too."""
    step_counts = {
        each.number: fact.steps if each.number == fact.variation else len(each.steps) for each in study.variations
    }
    if fact.steps == 0:
        del step_counts[fact.variation]

    def stays(at: StudyPlace) -> bool:
        return at.variation == 0 or at.step <= step_counts.get(at.variation, -1)

    # Variations are stored after their parents, so one pass finds every nested one.
    for each in study.variations:
        if each.number in step_counts and not stays(each.at):
            del step_counts[each.number]
    return replace(
        study,
        variations=tuple(
            replace(each, steps=each.steps[: step_counts[each.number]])
            for each in study.variations
            if each.number in step_counts
        ),
        comments=tuple(each for each in study.comments if stays(each.at)),
        marks=tuple(each for each in study.marks if stays(each.at)),
    )


def promote_variation(study: Study, number: int) -> Study:
    """Return the study with a variation before its siblings, or swapped with the continuation of its parent.

    Comments, marks and nested variations move with their steps.
    """
    variation = study.variation(number)
    assert variation is not None
    first = study.siblings_of(variation)[0]
    if first != variation:
        reordered = [each for each in study.variations if each != variation]
        reordered.insert(reordered.index(first), variation)
        return replace(study, variations=tuple(reordered))
    parent, step = study.variation(variation.at.variation), variation.at.step
    assert parent is not None, "the first variation from an entry has nothing before it"
    changed = {
        parent.number: replace(parent, steps=(*parent.steps[:step], *variation.steps)),
        number: replace(variation, steps=parent.steps[step:]),
    }

    def move_place(at: StudyPlace) -> StudyPlace:
        if at.variation == parent.number and at.step > step:
            return StudyPlace(at.entry, number, at.step - step)
        if at.variation == number and at.step > 0:
            return StudyPlace(at.entry, parent.number, step + at.step)
        return at

    variations = [replace(changed.get(each.number, each), at=move_place(each.at)) for each in study.variations]
    return replace(
        study,
        variations=parents_first(variations),
        comments=tuple(replace(each, at=move_place(each.at)) for each in study.comments),
        marks=tuple(replace(each, at=move_place(each.at)) for each in study.marks),
    )


def parents_first(variations: Sequence[Variation]) -> tuple[Variation, ...]:
    """Return the variations with parents before children; siblings keep their order."""
    places = {each.number: each.at for each in variations}

    def depth(at: StudyPlace) -> int:
        return 0 if at.variation == 0 else 1 + depth(places[at.variation])

    return tuple(sorted(variations, key=lambda each: depth(each.at)))


def chapter_named(study: Study, fact: ChapterNamed) -> Study:
    """Apply the name of a chapter; an empty one removes it. Chapters are sorted by entry."""
    remaining = [each for each in study.chapters if each.entry != fact.entry]
    added = [Chapter(fact.entry, fact.title)] if fact.title else []
    return replace(study, chapters=tuple(sorted(remaining + added, key=lambda each: each.entry)))


def without(people: tuple[Actor, ...], person: Actor) -> tuple[Actor, ...]:
    """Return people without one person."""
    return tuple(each for each in people if each != person)


def collaborator_removed(study: Study, fact: CollaboratorRemoved) -> Study:
    """Apply the removal of a collaborator, who becomes a past one."""
    return replace(
        study,
        collaborators=without(study.collaborators, fact.person),
        past_collaborators=(*without(study.past_collaborators, fact.person), fact.person),
    )


EVOLVE: Final[Mapping[type[Any], Callable[[Study, Any], Study]]] = {
    StudyRenamed: lambda study, fact: replace(study, title=fact.title),
    VisibilityChanged: lambda study, fact: replace(study, visibility=fact.visibility),
    CollaboratorAdded: lambda study, fact: replace(study, collaborators=(*study.collaborators, fact.person)),
    CollaboratorRemoved: collaborator_removed,
    CommentWritten: comment_written,
    CommentRemoved: lambda study, fact: replace(
        study, comments=tuple(each for each in study.comments if each.number != fact.comment)
    ),
    PlaceMarked: place_marked,
    VariationAdded: variation_added,
    StepsAdded: steps_added,
    VariationCut: variation_cut,
    VariationPromoted: lambda study, fact: promote_variation(study, fact.variation),
    ChapterNamed: chapter_named,
}


def evolve(study: Study | None, _record: Record | None, fact: Fact) -> Study:
    """Return the study after one more fact."""
    if isinstance(fact, StudyOpened):
        return study_opened(fact)
    assert study is not None, "a study begins with being opened"
    return EVOLVE[type(fact)](study, fact)


STUDY: Final[Kind[Fact, Study]] = Kind("study", Fact, evolve)
