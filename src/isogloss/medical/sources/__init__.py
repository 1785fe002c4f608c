"""Published datasets, in the form their publishers give them, become items."""
