"""The quarantined model: what it is asked, how data is fenced for it, and whether its answer has the form."""
