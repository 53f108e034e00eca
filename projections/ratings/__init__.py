"""Read models of ratings: how they are made, and how they are read."""
