"""WebDAV collections of calendars and address books (RFC 4918, RFC 4791, RFC 6352): asked over HTTP, kept locally."""
