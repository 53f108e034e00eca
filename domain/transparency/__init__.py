"""The transparency log by public specifications: Merkle tree, tiles, signed notes and witnesses."""
