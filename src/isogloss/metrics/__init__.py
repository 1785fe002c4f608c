"""Modules for Hugging Face `evaluate`, loaded by path: ``evaluate.load("PATH/hit_at_k.py")``."""
