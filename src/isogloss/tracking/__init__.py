"""MLflow, and nothing else in the project knows it."""
