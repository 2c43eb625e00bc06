"""Benchmarks: what they are made of, how they run, and what a run leaves."""
