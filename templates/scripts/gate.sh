# uses: api has is_open out tell
# Looks once more, right before anything is written: a person may have stopped the item while the agent worked.
open=false
if ! item=$(api "$repo/issues/$NUMBER"); then
  tell warning "Could not read #$NUMBER again, so nothing is written. The handoff says how to go on."
elif has "$item" "$BREAKER"; then
  tell notice "#$NUMBER was stopped while the agent worked. Its work is not written; resume to do it again."
elif ! is_open "$item"; then
  tell notice "#$NUMBER was closed while the agent worked. Its work is not written; reopen it and set its label again."
else
  open=true
  # No output is applied yet, so a verdict that is on now is an old one and would be taken for this review's.
  for name in ${VERDICTS:-}; do
    if has "$item" "$name"; then
      open=false
      tell warning "#$NUMBER carries the verdict $name from before, so nothing is written. Remove that label."
    fi
  done
fi
out open "$open"
exit 0
