"""Current wording of pairing sentences that records hold in an earlier wording.

Records store a sentence by its message id, the English text. When a sentence of `domain.pairing` is reworded, its old
text gets a line here, and older lines that lead to it are updated.
"""

from collections.abc import Mapping
from typing import Final

from domain.kernel.messages import Message
from domain.kernel.values import replace

CURRENT: Final[Mapping[str, str]] = {
    "something forbidden": "a broken pairing rule",
    "two of one family at a table": "two members of one family at a table",
    "two of one club at a table": "two members of one club at a table",
    "another short table for somebody who had one": "a second short table for a player",
    "wider differences of score": "larger score differences overall",
    "a seat somebody has had more often": "a seat that a player has had more often",
    "Their scores lie between {fewest} and {most}.": "Their scores range from {fewest} to {most}.",
    "A short table is needed, and nobody here had one before.": (
        "A short table is needed, and none of these players has had one yet."
    ),
    "{first} and {second} must not meet: the organiser has seated them together all the same.": (
        "{first} and {second} must not meet, but the organiser seated them together."
    ),
    "Everybody here has the same score: {points}.": "All players here have the same score: {points}.",
    "{first} and {second} have met before: without that, something that weighs more or as much would go.": (
        "{first} and {second} have met before. Keeping them apart would break an aim that matters at least as much."
    ),
    "A short table is needed; everybody who had none yet is used up, or kept apart otherwise.": (
        "A short table is needed. Players who have not had one yet already sit at one or must be kept apart."
    ),
    "It is the first round: the seats are by lot.": "First round: seats are drawn by lot.",
    "Nobody here has met anybody else at this table before.": "None of these players have met before.",
    "With {theirs} of table {table} in the place of {mine} the scores would be nearer: {cost}.": (
        "Swapping {mine} with {theirs} (table {table}) would bring the scores closer, at the cost of {cost}."
    ),
    "This table follows from the schedule, in which everybody meets everybody equally often.": (
        "This table comes from the schedule, in which all players meet equally often."
    ),
    "This table follows from the schedule, in which meetings are spread as evenly as was found.": (
        "This table comes from the schedule with the most even meetings found."
    ),
    "This table follows from the bracket: those who lost as often meet, the best ranked spread out.": (
        "This table comes from the bracket: players with equal losses meet, and the highest ranked are kept apart."
    ),
}
"""The current message id of each former one."""


def with_current_wording(message: Message) -> Message:
    """Return a stored sentence in its current wording, including sentences among its arguments; others unchanged."""
    args = {
        name: with_current_wording(value) if isinstance(value, Message) else value
        for name, value in message.args.items()
    }
    return replace(message, id=CURRENT.get(message.id, message.id), args=args)
