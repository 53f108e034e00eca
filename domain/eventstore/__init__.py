"""The event store: recorders, connections, group commit, compression.

The only package of the domain with database drivers.
"""
