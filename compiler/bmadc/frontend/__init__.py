"""From BMAD files to block trees, facts and the pack: small readers, each chosen by evidence."""
