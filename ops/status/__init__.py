"""`esporles status`: the state of a running service from the metrics of its processes."""
