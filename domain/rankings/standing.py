"""The standing of a player in a list, explained: matches that are missing, inactivity, and points lost by waiting."""

from domain.kernel.values import Value
from domain.rankings.content import ListLine
from domain.ratings.ladder import month_of, parse_month
from domain.ratings.model import MILLION, RatingModel, Skill
from domain.ratings.terms import Terms


class Standing(Value, frozen=True):
    """What a line of a list means for its player."""

    missing_matches: int
    """Matches that are missing for a place; 0 if there are enough."""
    inactive_from: str
    """The month from which the player is or will be inactive, without a further match."""
    points_after_last: int
    """The points after the last match. The deviation grows with each month without a match."""
    points_next_month: int
    """The points in the next month without a further match."""

    def lost_points(self, line: ListLine) -> int:
        """Return the points that the player has lost by waiting."""
        return self.points_after_last - line.points


def standing_of(model: RatingModel, line: ListLine, period: int, terms: Terms) -> Standing:
    """Explain the line of a player in the list of a month."""
    skill, last = Skill(line.mean / MILLION, line.deviation / MILLION), parse_month(line.last)
    return Standing(
        max(0, terms.minimum_matches - line.matches),
        month_of(terms.inactive_since(last)),
        model.points(skill),
        model.points(model.rest(skill, period - last)),
    )
