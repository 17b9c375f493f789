# uses: api comment has label may_write standing tell unlabel wake
# Goes on after a person took the breaker off, or asked for it with /resume. The cycles count from here.
# say TEXT: on the item, where the person looks, and in the run.
say() {
  tell notice "#$NUMBER: $1"
  comment "$NUMBER" "$1" || tell warning "Could not comment on #$NUMBER."
}
if ! item=$(api "$repo/issues/$NUMBER"); then
  tell error "Could not read #$NUMBER. Try again: remove the label $BREAKER, or comment /resume."
  exit 0
fi
if [ "$MODE" = unlabeled ] && [ "$(standing "$item")" = stopped ]; then
  tell notice "#$NUMBER was stopped again. Nothing to do."
  exit 0
fi
if ! may_write "$ACTOR"; then
  # Whoever may label may not always start work: what stopped the item goes back on.
  if [ "$MODE" = unlabeled ] && ! label "$NUMBER" "$BREAKER"; then
    tell error "Could not put the label $BREAKER back on #$NUMBER. Put it back by hand."
  fi
  tell warning "Only people with write access may resume #$NUMBER, and it is not known that this one has it. Ask one who has."
  exit 0
fi
if [ "$MODE" = command ]; then
  if [ "$(standing "$item")" != stopped ]; then
    say "Nothing to resume: the label $BREAKER is not on this item."
    exit 0
  fi
  if ! unlabel "$NUMBER" "$BREAKER"; then
    tell error "Could not remove the label $BREAKER from #$NUMBER. Remove it by hand."
    exit 0
  fi
fi
if [ "$(jq -r .state <<<"$item")" != open ]; then
  tell notice "#$NUMBER is closed. To go on, reopen it and set its label again."
  exit 0
fi
if ! jq -e .pull_request <<<"$item" >/dev/null; then
  say "Released. To go on, take the label that starts the work off, if it is on, and add it again: $TRIGGERS."
  exit 0
fi
if ! has "$item" "$MARK"; then
  tell notice "#$NUMBER is not in the pipeline. To take it in, add the label $MARK and a state label."
  exit 0
fi
state='' count=0
for name in $STATES; do
  if has "$item" "$name"; then state=$name count=$((count + 1)); fi
done
if [ "$count" != 1 ]; then
  say "Released, but $count state labels are on. Take off what is on, then add exactly one of: $STATES."
  exit 0
fi
# What a person pushed meanwhile has woken nobody: it is to be reviewed first, whatever the state was.
next=$state
if pull=$(api "$repo/pulls/$NUMBER") && commit=$(api "$repo/commits/$(jq -r .head.sha <<<"$pull")") &&
  jq -e --arg own "$BOT_COMMIT" '.commit.message | split("\n")[0] // "" | test($own) | not' <<<"$commit" >/dev/null; then
  next=$PUSHED
fi
if ! wake "$NUMBER" "$next" "$state" "$SWEPT"; then
  tell error "Could not wake the workflow for state $next of #$NUMBER. Remove the label $next and add it again."
  exit 0
fi
tell notice "#$NUMBER goes on in state $next."
exit 0
