"""`python -m armslength`: the command line."""

import sys

from armslength.surfaces.cli import main

if __name__ == "__main__":
    sys.exit(main())
