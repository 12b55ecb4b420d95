"""`python -m jointplay` is the program `jointplay`."""

from ._cli import main

main()
