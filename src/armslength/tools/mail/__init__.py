"""Mail: mailboxes, messages, what their labels are, and the tools over them."""
