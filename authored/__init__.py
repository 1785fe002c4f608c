"""What the maintainers wrote in place of chat models' replies, and the server that recites it."""
