"""The transparency log of the house: its order, its tree, its checkpoints and the witnesses that are asked."""
