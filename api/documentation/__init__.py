"""The documentation site, served under `/docs`."""
