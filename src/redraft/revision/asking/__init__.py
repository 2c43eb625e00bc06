"""The parts of a revision that ask a model: planner, reviser, feedback, and the baselines."""
