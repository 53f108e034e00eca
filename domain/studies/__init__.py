"""Studies: comments, marks and variations on a match."""
