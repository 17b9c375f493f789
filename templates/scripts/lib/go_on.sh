# uses: api has say tell wake
# go_on ITEM: takes up what the labels of a released item say, in the way that is wired.
go_on() {
  local item=$1 name state='' count=0 next pull commit
  if [ "$(jq -r .state <<<"$item")" != open ]; then
    tell notice "#$NUMBER is closed. To go on, reopen it and set its label again."
    return
  fi
  if ! jq -e .pull_request <<<"$item" >/dev/null; then
    say "Released. To go on, add the label that starts the work again; if it is still on, take it off first."
    return
  fi
  if ! has "$item" "$MARK"; then
    tell notice "#$NUMBER is not in the pipeline. To take it in, add the label $MARK and a state label."
    return
  fi
  for name in $STATES; do
    if has "$item" "$name"; then state=$name count=$((count + 1)); fi
  done
  if [ "$count" != 1 ]; then
    say "Released, but $count state labels are on. Take off what is on, then add exactly one of: $STATES."
    return
  fi
  # What a person pushed meanwhile has woken nobody: it is to be reviewed first, whatever the state was.
  next=$state
  if pull=$(api "$repo/pulls/$NUMBER") && commit=$(api "$repo/commits/$(jq -r .head.sha <<<"$pull")") &&
    jq -e --arg own "$BOT_COMMIT" '.commit.message | split("\n")[0] // "" | test($own) | not' <<<"$commit" >/dev/null; then
    next=$PUSHED
  fi
  if ! wake "$NUMBER" "$next" "$state" "$SWEPT"; then
    tell error "Could not wake the workflow for state $next of #$NUMBER. Remove the label $next and add it again."
    return
  fi
  tell notice "#$NUMBER goes on in state $next."
}
