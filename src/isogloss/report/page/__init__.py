"""One self-contained HTML page of all results, and its tables as CSV and LaTeX."""
