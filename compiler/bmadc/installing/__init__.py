"""What `bmadc init` does: ask, get the BMAD source, write settings. Nothing here decides a byte of a pack."""
