"""Encoders, the vector store, exact search, and the metrics of cross-lingual retrieval."""
