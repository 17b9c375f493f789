# out NAME VALUE: one output on one line, whatever the value holds.
out() { printf '%s=%s\n' "$1" "${2//[[:cntrl:]]/ }" >>"$GITHUB_OUTPUT"; }
