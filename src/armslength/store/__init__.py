"""What a run leaves on disk: its journal."""
