"""The planner's training: trajectories, self-training, what an action is worth."""
