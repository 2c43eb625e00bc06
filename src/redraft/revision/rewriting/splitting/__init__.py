"""How a sentence is read for its clauses, and where it may be cut into two."""
