"""People are told of their turn by mail and on their devices: where to, how often, and what is handed over."""
