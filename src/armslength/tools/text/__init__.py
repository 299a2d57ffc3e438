"""Text from outside: HTML to text, folding, addresses."""
