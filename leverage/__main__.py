"""``python -m leverage`` is the command ``leverage``."""

from leverage.cli.main import main

main()
