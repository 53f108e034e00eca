"""The archive of matches that have ended, and the explorer of what was played in them."""
