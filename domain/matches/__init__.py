"""The event-sourced match: facts, fold, commands and verification for all titles."""
