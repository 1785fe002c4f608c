"""What draws and prints changes between releases and dataset versions."""
