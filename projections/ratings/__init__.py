"""Read models of ratings: computation and queries."""
