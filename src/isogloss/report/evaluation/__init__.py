"""What draws and prints a single evaluation."""
