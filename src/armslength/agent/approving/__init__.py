"""What a person says yes to: what is looked up for the screen, its drawing, its answer, and grants."""
