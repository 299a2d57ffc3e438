"""Which effects happen, which need a person, which never do. Pure: labels in, a decision out."""
