# tell LEVEL TEXT: one line among the run's annotations, one in its summary, whatever the text holds.
tell() {
  local text=${2//[[:cntrl:]]/ }
  printf '::%s title=%s::%s\n' "$1" "$TITLE" "${text//%/%25}"
  printf '**%s.** %s\n\n' "$TITLE" "${text//[\`@<\[]/ }" >>"$GITHUB_STEP_SUMMARY"
}
