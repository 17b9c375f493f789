# uses: api has out standing tell
# Looks once more, right before anything is written: a person may have stopped the item while the agent worked.
open=false
item=$(api "$repo/issues/$NUMBER") || item='{"labels":[]}'
case $(standing "$item") in
  open) open=true ;;
  stopped) tell notice "#$NUMBER was stopped while the agent worked. Its work is not written; resume to do it again." ;;
  closed) tell notice "#$NUMBER was closed while the agent worked. Its work is not written; reopen it to do it again." ;;
  *) tell warning "Could not read #$NUMBER again, so nothing is written. The handoff says how to go on." ;;
esac
# No output is applied yet, so a verdict that is on now is an old one and would be taken for this review's.
for name in ${VERDICTS:-}; do
  if [ "$open" = true ] && has "$item" "$name"; then
    open=false
    tell warning "#$NUMBER carries the verdict $name from before, so nothing is written. Remove that label."
  fi
done
out open "$open"
exit 0
