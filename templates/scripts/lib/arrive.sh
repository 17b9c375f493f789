# uses: api label send tell
# arrive NUMBER NOTE: marks a new pull request with the label that asked for it, and says in its body where it
# comes from. With the run's own token: with another one the label would start the workflow that it stands for.
arrive() {
  local pull body
  label "$1" "$ASKED" || tell warning "Could not set the label $ASKED on #$1, so asking twice is not noticed. Set it by hand."
  # A body is only ever added to, and once.
  if ! pull=$(api "$repo/pulls/$1") ||
    ! body=$(jq -c --arg note "$2" '(.body // "") | if contains($note) then null else {body: "\(.)\n\n\($note)"} end' <<<"$pull") ||
    { [ "$body" != null ] && ! send PATCH "pulls/$1" "$body"; }; then
    tell warning "Could not write into the body of #$1. It should say: $2"
  fi
}
