"""Fixtures that several files of this room share."""

from derived_world import derived_copy, derived_project

__all__ = ["derived_copy", "derived_project"]
