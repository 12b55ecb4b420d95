"""The program `jointplay`, in this process."""

from __future__ import annotations

import sys

from . import _jointplay


def main() -> None:
    """Runs the program with the arguments of the process and exits with its code."""
    sys.exit(_jointplay.main(["jointplay", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
