"""`python -m bmadc` is `bmadc`."""

from bmadc.cli import main

if __name__ == "__main__":
    main()
