"""The command line: typer verbs without logic."""
