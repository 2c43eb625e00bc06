"""What speaks for a change and what against it: scores, verdicts, facts, and what a cut loses."""
