"""The program `jointplay`, in this process."""

from __future__ import annotations

import signal
import sys

from . import _jointplay


def main() -> None:
    """Runs the program with the arguments of the process and exits with its code."""
    # Python's own handler would only note Ctrl-C, and be asked when the program is done. Commands that keep what they have install one.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(_jointplay.main(["jointplay", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
