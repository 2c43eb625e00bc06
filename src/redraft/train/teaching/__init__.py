"""A larger model as teacher: what it is asked for each control, and which of its answers teach."""
