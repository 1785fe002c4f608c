"""The one door to chat models: what was asked once is recorded and never paid again."""
