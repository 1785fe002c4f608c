"""isogloss measures where a model stops understanding when the language changes."""

__version__ = "0.1.0"
