"""A transparency log as the public specifications have it: its tree, its tiles, its signed notes and its witnesses."""
