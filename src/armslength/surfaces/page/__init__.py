"""The approval screen as a local page, for people who are elsewhere.

drawn         the pages as HTML, without script or markup of others
application   which request may see the screen, and which may answer it
serving       the server on this machine, and the approver that waits for it
"""
