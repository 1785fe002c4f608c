"""One module per pipeline stage: read inputs, call the rooms, write outputs, log."""
