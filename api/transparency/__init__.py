"""The transparency log of the service: its sequencer, tree, checkpoints and witnesses."""
