"""Recipes: from raw data to an exported adapter, stage by stage, each of which is one of our commands."""
