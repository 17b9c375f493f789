"""The target: gh-aw's vocabulary, documents, locks, expressions and job graph, and nothing of ours."""
