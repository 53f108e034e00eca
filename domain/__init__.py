"""The domain: the games, the match log, and what follows from them. Pure but for the event store."""
