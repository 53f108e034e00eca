"""Matches: the service around the log, what goes over the wire, routes and pages."""
