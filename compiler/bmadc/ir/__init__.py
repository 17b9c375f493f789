"""What the front end makes of BMAD: a tree of blocks per file, facts about its leaves, and the pack."""
