"""What the console does for puzzles."""
