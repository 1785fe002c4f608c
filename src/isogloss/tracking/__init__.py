"""The one room that knows MLflow: the store, its names, runs, models and where each came from."""
