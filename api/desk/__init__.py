"""The desk on the wire: what its requests and answers look like, and what handlers ask of it."""
