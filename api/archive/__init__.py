"""The archive of ended matches, and the explorer of their actions."""
