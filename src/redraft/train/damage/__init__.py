"""Clean English damaged as learners and hasty writers do, for training an editor."""

from redraft.train.damage.profile import BUILT_IN, KINDS, Damaged, Edit, Profile, damage, load_profile

__all__ = ["BUILT_IN", "KINDS", "Damaged", "Edit", "Profile", "damage", "load_profile"]
