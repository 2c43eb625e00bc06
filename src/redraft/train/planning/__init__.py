"""Training the planner: trajectories to imitate, self-training, and the score of an action."""
