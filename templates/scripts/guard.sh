# uses: api tell
# Decides whether this run may start, before a model is paid for. Reads, never writes, always exits 0.
# It believes the API: the event is only a hint.
LABEL=${LABEL,,}
case "$EVENT" in
  pull_request | pull_request_review | issues) cause=$ACTION ;;
  *) cause=$EVENT ;;
esac
item='' timeline='' asked='' commit='' fault=''
if [[ $NUMBER =~ ^[1-9][0-9]{0,9}$ ]]; then
  item=$(api "$repo/$KIND/$NUMBER")
  case $? in
    0) ;;
    4) fault=missing ;;
    *) fault=unreadable ;;
  esac
else
  fault=number
fi
if [ -z "$fault" ] && [ -n "$WAKES" ]; then
  timeline=$(api --paginate "$repo/issues/$NUMBER/timeline?per_page=100" |
    jq -sce 'add | arrays | select(. != [])') || fault=unreadable
  if [ "$cause" = submitted ] && [[ $REVIEW =~ ^[0-9]+$ ]]; then
    asked=$(api "$repo/pulls/$NUMBER/reviews/$REVIEW") || [ $? = 4 ] || fault=unreadable
  elif [ "$cause" = synchronize ]; then
    { sha=$(jq -ner 'input | .head.sha' <<<"$item") && commit=$(api "$repo/commits/$sha"); } || fault=unreadable
  fi
fi
decision=$(
  printf '%s\n' "${item:-null}" "${timeline:-null}" "${asked:-null}" "${commit:-null}" |
    jq -sce --arg cause "$cause" --arg fault "$fault" '
def no(c; r): {go: false, halt: false, code: c, reason: r};
def stop(c; r): no(c; r) + {halt: true};
def unread: stop("unreadable"; "GitHub did not answer. Resume later.");
def go: no("go"; "ok") + {go: true};
. as [$item, $timeline, $review, $commit] | env as $e | ($e.WAKES != "") as $loop
| [$item.labels[]?.name | ascii_downcase] as $labels
| def on($l): any($labels[]; . == $l);
  [$e.STATES | splits(" ")] as $all | [$all[] | select(on(.))] as $states
| (if $cause == "labeled" and any($states[]; . == $e.LABEL) then $e.LABEL else $states[0] // "-" end) as $state
| ([$e.WAKES | splits(" ") | split("=") | select(.[0] == $cause)
    | .[1] | splits(",") | split(">") | select(.[0] == $state) | .[1]] | first) as $enters
# A strike is a move into that state; set again, or after a person asked for changes, it is none.
| (reduce $timeline[]? as $t ({n: 1};
    ($t.label.name // "" | ascii_downcase) as $l
    | if $t.event == "unlabeled" and $l == $e.BREAKER then .n = 1
    elif $t.event == "reviewed" and $t.state == "changes_requested" and $t.user.type == "User"
      and ($t.author_association | IN("OWNER", "MEMBER", "COLLABORATOR")) then {n: 1, at: $e.STRIKE}
    elif $t.event == "labeled" and any($all[]; . == $l) then
      (if $l == $e.STRIKE and .at != $l then .n += 1 else . end) | .at = $l
    else . end) | .n) as $cycle
| (if $e.MISTAKE != "" then stop("mistake"; $e.MISTAKE)
  elif $fault == "number" then no($fault; "The run names no item. Start it with a label.")
  elif $fault == "missing" then no($fault; "No such item of this kind. Label the right one.")
  elif $item == null then unread
  elif $item.state != "open" then no("closed"; "The item is closed. Reopen it, then set its label again.")
  elif on($e.BREAKER) then no("halted"; "Waiting for a person. Remove the label \($e.BREAKER) to go on.")
  elif $e.KIND == "issues" and $item.pull_request then no("kind"; "This is a pull request. Label an issue.")
  elif $e.KIND == "pulls" and $item.head.repo.full_name != $item.base.repo.full_name then
    no("fork"; "The branch is in a fork. Use one of this repository.")
  elif $loop and (on($e.MARK) | not) then
    no("foreign"; "Not in the pipeline. Add the label \($e.MARK), then the state label.")
  elif $loop and $item.draft then no("draft"; "Drafts are paused. Mark it as ready for review to go on.")
  elif $fault != "" then unread
  elif $e.CONFIG_ERROR != "" then stop("config"; $e.CONFIG_ERROR)
  elif $e.KIND == "issues" then go
  elif $item.head.ref | test("^-|[\\x00-\\x20\\x7f]") then stop("branch"; "Unusable branch name. Rename it.")
  elif $cause == "workflow_dispatch"
    and ([$e.CONTEXT | fromjson? | objects | .item_type, .item_number | tostring] != ["pull_request", $e.NUMBER]) then
    no("context"; "A run by hand lacks its context. Set the label instead.")
  elif $loop | not then go
  elif $cause == "submitted" and ($review.state != "CHANGES_REQUESTED" or $review.user.type != "User") then
    no("review"; "Nobody asks for changes any more. Nothing to do.")
  elif $cause == "synchronize" and ($commit.commit.message | split("\n")[0] // "" | test($e.BOT_COMMIT)) then
    no("own-push"; "A push of the pipeline. Its handoff wakes the review.")
  elif ($states | length) > 1 and ($cause != "labeled" or $state != $e.LABEL) then
    stop("conflict"; "Several state labels: \($states | join(", ")). Leave exactly one, then resume.")
  elif $enters == null then no("state"; "Not due in state \($state). The state label says who is next.")
  elif $cycle > ($e.CYCLES | tonumber) then
    stop("cycles"; "\($e.CYCLES) review cycles reached. Halting. Read the last review, decide, then resume.")
  else go end)
+ {state: $state, enters: ($enters // ""), cycle: $cycle, head_ref: ($item.head.ref // "")}'
) || decision='{"go":false,"halt":true,"code":"unreadable","reason":"Unknown answer of GitHub. Resume later."}'
jq -r 'to_entries[] | "\(.key)=\(.value | tostring | gsub("[[:cntrl:]]"; " "))"' <<<"$decision" >>"$GITHUB_OUTPUT"
case $(jq -r .code <<<"$decision") in
  go) ;;
  own-push) tell notice "$(jq -r .reason <<<"$decision")" ;;
  *) tell warning "$(jq -r .reason <<<"$decision")" ;;
esac
exit 0
