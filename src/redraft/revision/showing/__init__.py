"""What is told of a revision: while it runs, in its trace and page, and to a reader of its result."""
