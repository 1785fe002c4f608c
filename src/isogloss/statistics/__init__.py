"""Resampling intervals, permutation tests and rank statistics over plain arrays."""
