"""The archive of matches that have ended, and what they come to together."""
