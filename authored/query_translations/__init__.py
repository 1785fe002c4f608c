"""Queries that the maintainers translated by hand, and their recording."""
