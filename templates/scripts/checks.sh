# uses: api out tell
# Waits for the project's own checks on the head of a pull request and says how each ended. Reads, never writes,
# always exits 0: a check that cannot be read is no reason not to review.
began=$(date +%s) found='[]'
if ! pull=$(api "$repo/pulls/$NUMBER") || ! sha=$(jq -er '.head.sha | strings | select(test("^[0-9a-f]{40}$"))' <<<"$pull"); then
  tell warning "Could not read #$NUMBER, so nobody waited for its checks."
  out checks "$found"
  exit 0
fi
while :; do
  found='[]' waiting=''
  passed=$(($(date +%s) - began))
  for file in $CHECKS; do
    one=$(api "$repo/actions/workflows/$file/runs?head_sha=$sha&per_page=1" | jq -ce --arg check "$file" '
      .workflow_runs[0] // {} | {$check, state: (.status // "absent"), result: (.conclusion // ""), url: (.html_url // "")}') ||
      one=$(jq -nc --arg check "$file" '{$check, state: "unreadable", result: "", url: ""}')
    found=$(jq -c --argjson one "$one" '. + [$one]' <<<"$found")
    case $(jq -r .state <<<"$one") in
      completed | unreadable) ;;
      absent) if [ "$passed" -lt "$APPEARS" ]; then waiting=$file; fi ;;
      *) waiting=$file ;;
    esac
  done
  if [ -z "$waiting" ] || [ "$passed" -ge $((MINUTES * 60)) ]; then break; fi
  sleep "$EVERY"
done
for state in $(jq -r '.[] | select(.result != "success") | "\(.check):\(if .state == "completed" then .result else .state end)"' <<<"$found"); do
  tell warning "The check ${state%%:*} of #$NUMBER did not succeed: ${state##*:}. The review is told."
done
out checks "$found"
exit 0
