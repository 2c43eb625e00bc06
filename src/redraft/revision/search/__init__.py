"""The search: the tree of revisions, plans for the next step, and the reward that guides it."""
