"""An independent count of what a BMAD release holds, to compare the compiler's own counts with."""
