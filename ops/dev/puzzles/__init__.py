"""The search for puzzles."""
