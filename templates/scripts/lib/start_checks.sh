# uses: api send tell
# start_checks PR: starts the project's own checks on the branch of a pull request, because GitHub starts none
# for what was pushed with the run's own token.
start_checks() {
  local pull branch file
  if [ -z "$CHECKS" ]; then return 0; fi
  if ! pull=$(api "$repo/pulls/$1") || ! branch=$(jq -er '.head.ref | strings | select(. != "")' <<<"$pull"); then
    tell warning "Could not read #$1, so its checks were not started. Start $CHECKS by hand."
    return 0
  fi
  for file in $CHECKS; do
    send POST "actions/workflows/$file/dispatches" "$(jq -nc --arg ref "$branch" '{ref: $ref}')" ||
      tell warning "Could not start $file for #$1. It needs workflow_dispatch among its events, on that branch."
  done
}
