# uses: api consumer has installed label may_write stop_item tell wake
# Finds state labels with no run behind them: a lost event, a failed push, a dead runner. Wakes once, then stops.
now=${NOW:-$(date +%s)}
if ! items=$(api --paginate "$repo/issues?labels=$MARK&state=open&per_page=100"); then
  tell error "Could not list the pull requests of the pipeline. The next sweep tries again."
  exit 0
fi
titles=''
for status in queued in_progress waiting pending requested; do
  if ! titles+=$(api --paginate "$repo/actions/runs?status=$status&per_page=100" |
    jq -sce 'select(. != []) | [.[].workflow_runs[].display_title]'); then
    tell error "Could not list the runs, so silence cannot be told from work. The next sweep tries again."
    exit 0
  fi
done
for number in $(jq -r '.[] | select(.pull_request and (.draft | not)) | .number' <<<"$items"); do
  item=$(jq -c --argjson n "$number" '.[] | select(.number == $n)' <<<"$items")
  state='' count=0
  for name in $STATES; do
    if has "$item" "$name"; then state=$name count=$((count + 1)); fi
  done
  if has "$item" "$BREAKER"; then continue; fi
  # Where people set the labels, none is a state like any other.
  if [ "$count" = 0 ] && [ "$WAKING" = manual ]; then continue; fi
  if ! timeline=$(api --paginate "$repo/issues/$number/timeline?per_page=100"); then
    tell warning "Could not read the history of #$number. The next sweep tries again."
    continue
  fi
  # A run is named for its item, so one that works on it, or waits to, is found by its title.
  busy=$(jq -s --arg n " #$number" 'any(.[][]; . // "" | startswith("bmad-") and endswith($n))' <<<"$titles")
  last=$(jq -cse --arg names "$STATES $MARK" '[$names | splits(" ")] as $all
    | add | map(select(.event == "labeled" and any(.label.name | ascii_downcase; . == $all[])))
    | max_by(.created_at) | {since: (.created_at // "1970-01-01T00:00:00Z" | fromdateiso8601), actor}' <<<"$timeline") || continue
  since=$(jq -r .since <<<"$last")
  if [ "$busy" != false ] || [ "$((now - since))" -lt "$((SILENCE * 60))" ]; then continue; fi
  if [ "$count" != 1 ]; then
    stop_item "$number" "$count state labels are on, and no run works on it." "Leave exactly one state label on."
    continue
  fi
  # Whoever may label may not always start work, and a run woken from here would be let through.
  actor=$(jq -r '.actor | select(.type == "User") | .login' <<<"$last")
  if [ -n "$actor" ] && ! may_write "$actor"; then
    tell notice "#$number was put in state $state by somebody without write access. Somebody who has it may set the label again."
    continue
  fi
  file=$(consumer "$state")
  if [ -z "$file" ] || ! installed "$file"; then continue; fi
  if has "$item" "$SWEPT"; then
    stop_item "$number" "Nothing happened in state $state, even after it was woken once more." "Look for a failed run of $file."
  elif label "$number" "$SWEPT" && wake "$number" "$state"; then
    tell notice "#$number was silent in state $state and was woken once."
  else
    stop_item "$number" "It was silent in state $state and could not be woken." "Check the token and its permissions."
  fi
done
exit 0
