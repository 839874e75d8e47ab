"""`python -m mekuri` is the command `mekuri`."""

from mekuri.cli import main

main()
