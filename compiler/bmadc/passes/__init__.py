"""From a text that talks to a person to one that an agent can follow alone: rules, edits, layout."""
