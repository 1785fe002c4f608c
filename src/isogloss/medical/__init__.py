"""Language models answer medical questions in nine languages; this room measures how well."""
