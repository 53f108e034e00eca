"""The web process: resources, pages, streams."""
