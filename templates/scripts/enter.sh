# uses: api has label standing tell unlabel
# Makes the labels say what this run works on: one state, and no verdict left from an earlier review.
if ! item=$(api "$repo/issues/$NUMBER"); then
  tell warning "Could not read the labels of #$NUMBER; the state shown there may be old. The handoff sets it right."
  exit 0
fi
if [ "$(standing "$item")" != open ]; then
  tell notice "#$NUMBER was stopped or closed meanwhile. Its labels are left as they are."
  exit 0
fi
if ! has "$item" "$ENTERS" && ! label "$NUMBER" "$ENTERS"; then
  tell warning "Could not set the label $ENTERS on #$NUMBER. The handoff sets the next one."
fi
for name in $STATES $VERDICTS; do
  if [ "$name" != "$ENTERS" ] && has "$item" "$name" && ! unlabel "$NUMBER" "$name"; then
    tell warning "Could not remove the label $name from #$NUMBER. Remove it by hand."
  fi
done
exit 0
