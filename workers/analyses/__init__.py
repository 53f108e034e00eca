"""The engine of analyses, puzzles and hints: what each action is worth, by views and imagined positions alone."""
