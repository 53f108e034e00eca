"""The demo: a separate data folder with a small world that bots play."""
