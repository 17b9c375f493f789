# uses: api out
# Finds what a person who sets a label gets wrong, so that it is said in words. Reads, never writes.
# What GitHub does not answer is no mistake: the guard decides about that.
LABEL=${LABEL,,}
mistake='' item='' first='' what='' where=''
again="then set the label \`$LABEL\` again."
for name in $TRIGGERS; do
  if [ "$ACTION" = labeled ] && [ "$LABEL" = "$name" ] && [[ $NUMBER =~ ^[1-9][0-9]{0,9}$ ]]; then
    item=$(api "$repo/issues/$NUMBER") || item=''
  fi
done
# A body of comments that a template left there says nothing either.
case $(jq -r 'if any(.labels[]; .name | ascii_downcase == env.BREAKER) then "stopped"
  elif (env.KIND == "pulls") != (.pull_request != null) then "kind"
  elif .state == "closed" then "closed"
  elif .state != "open" then "unknown"
  elif env.BODY == "needed" and (.body // "" | split("<!--") | .[:1] + [.[1:][] | split("-->")[1:][]] | add // "" | test("[^ \t\r\n]") | not) then "empty"
  else "fine" end' <<<"${item:-null}" 2>/dev/null) in
  kind)
    what='an issue' where='a pull request'
    if [ "$KIND" = pulls ]; then what='a pull request' where='an issue'; fi
    mistake="The label \`$LABEL\` belongs on $what, and this is $where. There is nothing here that it could work on, so nothing was started. Set it on $what instead."
    ;;
  closed) mistake="This is closed. Work on it would reach nobody, so nothing was started. Reopen it, $again" ;;
  empty) mistake="The issue has no text. The work begins with what the issue says, so nothing was started. Describe what is wanted, $again" ;;
  fine)
    if [ "$KIND" = issues ]; then
      first=$(api --paginate "$repo/issues/$NUMBER/timeline?per_page=100" | jq -sr --arg asked "$LABEL" '[add[]
        | select(.event == "cross-referenced") | .source.issue
        | select(.pull_request and .state == "open" and .repository.full_name == env.GITHUB_REPOSITORY
          and any(.labels[]; .name | ascii_downcase == $asked)) | .number | numbers] | first // ""' 2>/dev/null) || first=''
    fi
    if [ -n "$first" ]; then
      mistake="#$first, which this label opened from here, is still open. A second one would do the same work again, so nothing was started. Merge or close #$first, $again"
    elif [ "$REQUIRES" != '[]' ]; then
      what=$(api "$repo/git/trees/HEAD?recursive=1" | jq -c --argjson needed "$REQUIRES" 'select(.truncated == false)
        | [.tree[] | select(.type == "blob") | .path] as $paths
        | first($needed[] | select(.pattern as $p | any($paths[]; test($p)) | not))' 2>/dev/null) || what=''
      if [ -n "$what" ]; then
        where=$(jq -r '.label | if . == "" then "Write it" else "Set the label `\(.)` on an issue and merge its pull request" end' <<<"$what")
        mistake="This needs $(jq -r .what <<<"$what"), and the default branch has none. Without it the work would rest on guesses, so nothing was started. $where, $again"
      fi
    fi
    ;;
esac
out mistake "$mistake"
exit 0
