"""What became of every unit of the source, and the checks that keep that account honest."""
