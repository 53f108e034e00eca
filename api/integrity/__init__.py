"""The integrity screen: statistics for officials, and shared network addresses."""
