"""What draws and prints medical figures."""
