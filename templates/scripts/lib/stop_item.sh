# uses: label comment tell
# stop_item NUMBER WHAT TODO: the breaker first, because it is what stops the next run, then the words.
stop_item() {
  label "$1" "$BREAKER" || tell error "Could not set the label $BREAKER on #$1. Set it by hand: nothing else stops the loop."
  comment "$1" "**Stopped: a person has to decide.**

- What happened: $2
- Why it matters: while the label \`$BREAKER\` is on this item, no workflow of the pipeline works on it.
- What to do: $3 Then remove the label, or comment \`/resume\`.

[The run that stopped]($GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID)" ||
    tell error "Could not comment on #$1. What happened: $2"
  tell warning "Stopped #$1 for a person. $2 $3"
}
