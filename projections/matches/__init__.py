"""Read models of matches."""
