"""Clean English damaged as learners and hasty writers do, for training an editor."""
