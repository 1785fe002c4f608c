"""Tests of the tracking room."""
