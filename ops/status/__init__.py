"""How a running house does, told in the terminal from the figures of its processes."""
