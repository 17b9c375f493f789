"""From workflows and the machine to gh-aw documents and their text."""
