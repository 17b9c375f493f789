# uses: api has label may_write release say standing stop_item tell wake
# What somebody with write access may say in a comment: /choose, /approve, /skip-review, /bmad stop.
# The whole comment is the command, with white space around it and nothing else: what an agent writes has a footer.
text=${COMMENT:0:200} command='' others=''
text=${text#"${text%%[![:space:]]*}"}
text=${text%"${text##*[![:space:]]}"}
choose='^/choose +[a-z0-9._-][a-z0-9 ._-]{0,39}$'
case ${text,,} in
  /approve | /skip-review) command=${text,,} ;;
  '/bmad stop') command=stop ;;
  *) if [[ ${text,,} =~ $choose ]]; then command=choose; fi ;;
esac
if [ -z "$command" ] || [ "${#COMMENT}" -gt 200 ]; then
  tell notice "The comment on #$NUMBER only begins like a command. Nothing to do."
  exit 0
fi
if ! may_write "$ACTOR"; then
  say "Only people with write access give commands here, and it is not known that this one has it. Ask one who has."
  exit 0
fi
if ! item=$(api "$repo/issues/$NUMBER"); then
  tell error "Could not read #$NUMBER. Try again: comment once more."
  exit 0
fi
now=$(standing "$item")
in_pipeline=no
if jq -e .pull_request <<<"$item" >/dev/null && has "$item" "$MARK"; then in_pipeline=yes; fi
for name in $STATES; do
  if [ "$name" != "$APPROVED" ] && has "$item" "$name"; then others+=" $name"; fi
done

# approve WORDS: a person takes it on. What no review approved says so, before it counts as approved.
approve() {
  # The states are single words: split on purpose.
  # shellcheck disable=SC2086
  if label "$NUMBER" "$UNVALIDATED" && wake "$NUMBER" "$APPROVED" $others "$SWEPT"; then
    say "$1, so the label \`$UNVALIDATED\` is on. It is yours to merge; a review that approves it takes that label off."
  else
    tell error "Could not approve #$NUMBER. Set the labels $UNVALIDATED and $APPROVED by hand, and take other state labels off."
  fi
}

case $now:$command in
  open:stop) stop_item "$NUMBER" "\`$ACTOR\` stopped it with \`/bmad stop\`." "Do what it was stopped for." ;;
  stopped:stop) say "Already stopped: the label $BREAKER is on this item." ;;
  stopped:choose | stopped:/approve) release "$item" ;;
  open:choose) say "Nothing to choose: a choice answers what a stopped item asks, and the label $BREAKER is not on this item." ;;
  stopped:/skip-review) say "This is stopped, so nothing is moved. Comment \`/resume\` first, then \`/skip-review\`." ;;
  open:/approve | open:/skip-review)
    if [ "$in_pipeline" = no ]; then
      say "Nothing to approve: this is no pull request with the label $MARK, and nothing on it waits for an answer."
    elif has "$item" "$APPROVED" && [ -z "$others" ]; then
      say "Already approved: the label $APPROVED is on this item."
    elif [ "$command" = /approve ]; then
      approve "Approved by \`$ACTOR\` without an approving review"
    elif [ -z "$others" ]; then
      say "No review is due: no state label is on this item. To approve it as it is, comment \`/approve\`."
    else
      approve "The review was skipped by \`$ACTOR\`"
    fi
    ;;
  closed:*) say "This is closed. Reopen it, then give the command again." ;;
  *) tell error "Could not make sense of #$NUMBER. Try again: comment once more." ;;
esac
exit 0
