"""Read models: what pages and queries show, rebuilt from the log at will."""
