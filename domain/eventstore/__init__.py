"""Keep logs: recorders, connections, group commit, compression. No other room of the domain uses a database driver."""
