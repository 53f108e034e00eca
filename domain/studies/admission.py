"""Checks of facts before they are added to a study: permissions, places, limits, and legal variations."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from domain.kernel.rules import SERVICE_SEAT
from domain.matches.seats.opening import check_player
from domain.studies.errors import IllegalVariation, NotYourStudy, StudyRefused, WrongMatch
from domain.studies.facts import (
    ChapterNamed,
    CollaboratorAdded,
    CollaboratorRemoved,
    CommentRemoved,
    CommentWritten,
    Fact,
    PlaceMarked,
    StepsAdded,
    StudyOpened,
    StudyPlace,
    StudyRenamed,
    StudyStep,
    VariationAdded,
    VariationCut,
    VariationPromoted,
    VisibilityChanged,
)
from domain.studies.rules import (
    Position,
    StudyMatch,
    Wish,
    check_place,
    depth_of,
    line_of,
    position_at,
    require_open,
    require_started,
    variation_of,
)
from domain.studies.state import Study, promote_variation
from domain.studies.texts import check_title, check_words

COMMENT_MAX: Final = 10_000
COMMENTS_MAX: Final = 5_000
VARIATIONS_MAX: Final = 1_000
STEPS_MAX: Final = 500
DEPTH_MAX: Final = 12
COLLABORATORS_MAX: Final = 50
SHAPES_MAX: Final = 40
CHAPTERS_MAX: Final = 200


def admit_opening(fact: StudyOpened, source: StudyMatch) -> None:
    """Raise `WrongMatch` unless a new study is about the match it names: the digests of its entry agree.

    Raise `StudyRefused` for a bad title.
    """
    check_player(fact.by)
    check_title(fact.title, "the title of a study")
    if fact.match != source.match_id:
        raise WrongMatch(f"the study is about match {fact.match}, not {source.match_id}")
    if not 1 <= fact.entries <= source.last or source.digest_of(fact.entries) != fact.head:
        raise WrongMatch(f"the study is about another match: no entry {fact.entries} with the digest {fact.head}")


def admit(study: Study, fact: Fact, source: StudyMatch) -> None:
    """Check whether a fact may be added to the study; every command and imported file passes this check.

    Raise `NotYourStudy` unless its author may write and may change this, `IllegalVariation` for steps that the
    engine does not repeat, and `StudyRefused` for limits, unknown places or a second opening.
    """
    if not study.may_write(fact.by):
        raise NotYourStudy(f"{fact.by!r} is not an author of this study")
    check = ADMIT.get(type(fact))
    if check is None:
        raise StudyRefused("a study can be opened only once")
    check(study, fact, source)


def owner_only(study: Study, fact: Fact) -> None:
    """Raise `NotYourStudy` unless the author of a fact owns the study."""
    if fact.by != study.owner:
        raise NotYourStudy("only the owner of the study can do this")


def admit_title(study: Study, fact: StudyRenamed, _book: StudyMatch) -> None:
    """Check a new title."""
    owner_only(study, fact)
    check_title(fact.title, "the title of a study")


def admit_visibility(study: Study, fact: VisibilityChanged, _book: StudyMatch) -> None:
    """Check a new visibility."""
    owner_only(study, fact)


def admit_collaborator(study: Study, fact: CollaboratorAdded, _book: StudyMatch) -> None:
    """Check a new collaborator; raise `NotYourStudy` unless the owner adds them.

    Raise `StudyRefused` for a known one or above `COLLABORATORS_MAX`.
    """
    owner_only(study, fact)
    check_player(fact.person)
    if study.may_write(fact.person):
        raise StudyRefused(f"{fact.person!r} is already an author of this study")
    if len(study.collaborators) >= COLLABORATORS_MAX:
        raise StudyRefused(f"a study has at most {COLLABORATORS_MAX} co-authors")


def admit_parting(study: Study, fact: CollaboratorRemoved, _book: StudyMatch) -> None:
    """Check the removal of a collaborator; raise `NotYourStudy` unless by the owner or themselves.

    Raise `StudyRefused` for an unknown one.
    """
    if fact.person not in study.collaborators:
        raise StudyRefused(f"{fact.person!r} is not a co-author of this study")
    if fact.by != fact.person:
        owner_only(study, fact)


def admit_number(study: Study, number: int) -> None:
    """Raise `StudyRefused` unless a number is the next unused one."""
    if number != study.numbers_used + 1:
        raise StudyRefused(f"the next number in this study is {study.numbers_used + 1}, not {number}")


def admit_comment(study: Study, fact: CommentWritten, source: StudyMatch) -> None:
    """Check a new comment, or a new text of the author's comment at the same place.

    Raise `StudyRefused` for a bad text, place or number and above `COMMENTS_MAX`, `NotYourStudy` for another
    author's.
    """
    check_words(fact.text, COMMENT_MAX, "a comment")
    check_place(study, fact.at, source)
    comment = study.comment(fact.comment)
    if comment is None:
        admit_number(study, fact.comment)
        if len(study.comments) >= COMMENTS_MAX:
            raise StudyRefused(f"a study has at most {COMMENTS_MAX} comments")
    elif comment.at != fact.at or comment.by != fact.by:
        raise NotYourStudy(f"comment {fact.comment} is by another author or at another place")


def admit_removal(study: Study, fact: CommentRemoved, _book: StudyMatch) -> None:
    """Check the removal of a comment; raise `NotYourStudy` unless by its author or the owner of the study.

    Raise `StudyRefused` if it is unknown.
    """
    comment = study.comment(fact.comment)
    if comment is None:
        raise StudyRefused(f"the study has no comment {fact.comment}")
    if comment.by != fact.by:
        owner_only(study, fact)


def admit_marks(study: Study, fact: PlaceMarked, source: StudyMatch) -> None:
    """Check the marks of a place; raise `StudyRefused` for an unknown place or repeated marks.

    Also raise it above `SHAPES_MAX` rings and arrows.
    """
    check_place(study, fact.at, source)
    if len(set(fact.glyphs)) != len(fact.glyphs) or len(set(fact.shapes)) != len(fact.shapes):
        raise StudyRefused("each mark can be set once per place")
    if len(fact.shapes) > SHAPES_MAX:
        raise StudyRefused(f"a place has at most {SHAPES_MAX} rings and arrows, not {len(fact.shapes)}")


def check_steps(before: Position, steps: tuple[StudyStep, ...], first: int, total: int) -> None:
    """Raise `IllegalVariation` unless stored steps equal the engine's result now, the service's steps included.

    That is: legal, with the same effects and descriptions. Raise `StudyRefused` for no steps, or a `total`
    above `STEPS_MAX`.
    """
    if not steps:
        raise StudyRefused("a variation has at least one step")
    if total > STEPS_MAX:
        raise StudyRefused(f"a variation has at most {STEPS_MAX} steps, not {total}")
    codec = before.match.definition.codec
    wishes: list[Wish] = []
    for number, step in enumerate(steps, start=first):
        try:
            action = msgspec.json.decode(step.action, type=codec.action)
        except msgspec.DecodeError as fault:
            raise IllegalVariation(f"step {number} is not an action of this game: {fault}", number) from fault
        if step.seat != SERVICE_SEAT:
            wishes.append(Wish(action, step.seat))
    expected = line_of(before, wishes, first)
    for number, (step, expected_step) in enumerate(zip(steps, expected, strict=False), start=first):
        if step != expected_step:
            raise IllegalVariation(f"step {number} does not have the stored effects", number)
    if len(steps) != len(expected):
        end = first + min(len(steps), len(expected))
        raise IllegalVariation(f"step {end}: steps of the server are missing or superfluous", end)


def admit_variation(study: Study, fact: VariationAdded, source: StudyMatch) -> None:
    """Check a new variation: number, place, count, depth, an open and started match, and its steps.

    Raise `StudyRefused` or, for its steps, `IllegalVariation`; `RulesRetired` if the match cannot be played on.
    """
    require_open(source)
    admit_number(study, fact.variation)
    check_place(study, fact.at, source)
    if len(study.variations) >= VARIATIONS_MAX:
        raise StudyRefused(f"a study has at most {VARIATIONS_MAX} variations")
    if depth_of(study, fact.at) >= DEPTH_MAX:
        raise StudyRefused(f"variations are nested at most {DEPTH_MAX} deep")
    before = position_at(study, fact.at, source)
    require_started(before, fact.at)
    check_steps(before, fact.steps, 1, len(fact.steps))


def admit_steps(study: Study, fact: StepsAdded, source: StudyMatch) -> None:
    """Check an extension of a variation at its end, in an open match.

    Raise `StudyRefused` for an unknown variation or a match that is not open, and as `check_steps`.
    """
    require_open(source)
    variation = variation_of(study, fact.variation)
    end = StudyPlace(variation.at.entry, variation.number, len(variation.steps))
    check_steps(
        position_at(study, end, source), fact.steps, len(variation.steps) + 1, len(variation.steps) + len(fact.steps)
    )


def admit_cut(study: Study, fact: VariationCut, _book: StudyMatch) -> None:
    """Check a cut of a variation to fewer steps; raise `NotYourStudy` unless by its author or the owner of the study.

    Raise `StudyRefused` if it is unknown, or does not have more steps than that.
    """
    variation = variation_of(study, fact.variation)
    if not 0 <= fact.steps < len(variation.steps):
        raise StudyRefused(
            f"variation {variation.number} has {len(variation.steps)} steps; it cannot be cut to {fact.steps}"
        )
    if variation.by != fact.by:
        owner_only(study, fact)


def admit_promotion(study: Study, fact: VariationPromoted, _book: StudyMatch) -> None:
    """Check a promotion, which needs to own every line that changes, or the study.

    Raise `StudyRefused` if the variation is already first, leaves from the end of another, or would exceed a
    limit.
    """
    variation = variation_of(study, fact.variation)
    if variation.by != fact.by:
        owner_only(study, fact)
    if study.siblings_of(variation)[0] != variation:
        return
    if variation.at.variation == 0:
        raise StudyRefused(f"variation {variation.number} is already the first")
    parent = variation_of(study, variation.at.variation)
    if variation.at.step == len(parent.steps):
        raise StudyRefused(
            f"variation {variation.number} leaves from the end of variation {parent.number}, where it cannot be"
            " promoted"
        )
    if parent.by != fact.by:
        owner_only(study, fact)
    if (total := variation.at.step + len(variation.steps)) > STEPS_MAX:
        raise StudyRefused(f"a variation has at most {STEPS_MAX} steps, not {total}")
    after = promote_variation(study, variation.number)
    if any(depth_of(after, each.at) >= DEPTH_MAX for each in after.variations):
        raise StudyRefused(f"variations are nested at most {DEPTH_MAX} deep")


def admit_chapter(study: Study, fact: ChapterNamed, source: StudyMatch) -> None:
    """Check a chapter; an empty title removes a known one.

    Raise `StudyRefused` for an unknown entry, a bad title, an unknown chapter to remove, or above `CHAPTERS_MAX`
    chapters.
    """
    check_place(study, StudyPlace(fact.entry), source)
    if not fact.title:
        if study.chapter(fact.entry) is None:
            raise StudyRefused(f"no chapter begins at entry {fact.entry}")
        return
    check_title(fact.title, "the title of a chapter")
    if study.chapter(fact.entry) is None and len(study.chapters) >= CHAPTERS_MAX:
        raise StudyRefused(f"a study has at most {CHAPTERS_MAX} chapters")


ADMIT: Final[Mapping[type[Any], Callable[[Study, Any, StudyMatch], None]]] = {
    StudyRenamed: admit_title,
    VisibilityChanged: admit_visibility,
    CollaboratorAdded: admit_collaborator,
    CollaboratorRemoved: admit_parting,
    CommentWritten: admit_comment,
    CommentRemoved: admit_removal,
    PlaceMarked: admit_marks,
    VariationAdded: admit_variation,
    StepsAdded: admit_steps,
    VariationCut: admit_cut,
    VariationPromoted: admit_promotion,
    ChapterNamed: admit_chapter,
}
