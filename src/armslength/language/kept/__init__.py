"""What stays between two programs of a conversation: which names, and how they are stored."""
