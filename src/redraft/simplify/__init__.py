"""Simplify a text by a stated policy, judge simplifications by it, and make preference data of that."""
