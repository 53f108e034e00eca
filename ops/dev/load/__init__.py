"""The load: people, bots, spectators and organisers at a running service, and a journal of acknowledged requests."""
