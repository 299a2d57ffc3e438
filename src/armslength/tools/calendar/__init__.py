"""Calendars: iCalendar, recurrence, and the tools over them."""
