"""The planner, which is blind: what it is told and what that costs, the preview of its programs, and what they leave for the next."""
