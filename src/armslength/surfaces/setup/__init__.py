"""`init`: a configuration made by questions, one a line. What is connected is tried at once; nothing is written before the end.

Files:
    init       the questions from the first to the last, and the file
    answers    who answers: a person or a pipe, line by line, or a file
    asking     one question, and a secret's place
    trying     whether it works, and what to do if not
    mail       the servers or the folder of mail, and who vouches for senders
    places     files, calendars, contacts
    further    the web, servers of MCP, models
"""

from __future__ import annotations

from armslength.surfaces.setup.init import init

__all__ = ["init"]
