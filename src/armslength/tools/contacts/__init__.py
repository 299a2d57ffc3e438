"""Contacts: vCard and the tools over them."""
