"""What the pinned gh-aw release and GitHub's workflow schema know: names and numbers, generated from them."""
