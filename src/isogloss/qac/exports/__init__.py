"""Exports of a finished benchmark to the formats that other tools load."""
