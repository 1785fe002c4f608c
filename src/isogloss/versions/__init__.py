"""Pinned dataset versions: where git and DVC hold them, how to fetch one, what two differ in."""
