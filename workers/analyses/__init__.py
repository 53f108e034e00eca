"""The engine of analyses, puzzles and hints: evaluates actions from views and imagined positions only."""
