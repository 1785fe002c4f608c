"""What draws and prints models beside each other."""
