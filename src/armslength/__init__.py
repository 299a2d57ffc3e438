"""An assistant that reads untrusted text and acts for a person without taking orders from what it reads."""
