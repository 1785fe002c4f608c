"""How figures, numbers, tables and lines look, whatever they show."""
