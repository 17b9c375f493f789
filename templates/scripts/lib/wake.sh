# uses: comment consumer installed label send tell unlabel
# wake NUMBER STATE [LABEL...]: puts a pull request in a state, takes the other labels off, and wakes whoever
# takes the state up, in the way that is wired. 0: done, or nobody to wake. 1: could not.
wake() {
  local pr=$1 state=$2 file way=$WAKING name failed=0
  shift 2
  file=$(consumer "$state")
  if [ -z "$file" ]; then
    way=none
  elif ! installed "$file"; then
    way=none
    tell notice "No installed workflow takes up $state, so #$pr waits for a person. Install $file to go on by itself."
  fi
  case $way in
    bus | none) label "$pr" "$state" || return 1 ;;
    credential)
      # Setting a label that is there already raises no event.
      unlabel "$pr" "$state" || return 1
      if ! GH_TOKEN=$WAKE_TOKEN label "$pr" "$state"; then
        # Wakes nobody, but says where the work stands, so that it can be resumed from there.
        label "$pr" "$state"
        failed=1
      fi
      ;;
    manual) unlabel "$pr" "$state" || return 1 ;;
  esac
  for name in "$@"; do
    if [ "$name" != "$state" ]; then
      unlabel "$pr" "$name" || tell warning "Could not remove the label $name from #$pr. Remove it by hand."
    fi
  done
  case $way in
    bus)
      # On a schedule the event names no repository, and the run's own branch is the default one.
      send POST "actions/workflows/$file/dispatches" "$(jq -nc --arg pr "$pr" --arg ref "${DEFAULT_BRANCH:-$GITHUB_REF_NAME}" '{
        ref: $ref,
        inputs: {pr: $pr, aw_context: ({item_type: "pull_request", item_number: $pr, event_type: "pull_request"} | tojson)}
      }')" || failed=1
      ;;
    manual) comment "$pr" "Next: add the label \`$state\` to go on. Nothing happens until a person does." || failed=1 ;;
  esac
  return "$failed"
}
