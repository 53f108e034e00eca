"""Console support by title: drawings, laws, ledgers for the balance and printed components; all are optional."""
