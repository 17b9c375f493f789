# uses: api arrive consensus has label standing start_checks stop_item tell unlabel wake
# Moves the state by what was really applied, and wakes the next. No model has a say here.
# lost: ends a run whose item gives no answer.
lost() {
  tell error "Could not read #$NUMBER, so its state was not moved. The sweeper finds it, or set the next label by hand."
  exit 0
}
item=$(api "$repo/issues/$NUMBER") || lost
given=$(jq -c --argjson known "$VERDICTS" --arg prefix "$VERDICT_PREFIX" \
  '[.labels[].name | ascii_downcase | select(startswith($prefix)) | if in($known) then . else "unknown" end]' <<<"$item")
left=''
for name in $(jq -r 'keys[]' <<<"$VERDICTS"); do
  if has "$item" "$name" && ! unlabel "$NUMBER" "$name"; then left=$name; fi
done
case $(standing "$item") in
  open) ;;
  stopped)
    tell notice "#$NUMBER waits for a person; its state was not moved. Remove the label $BREAKER to go on."
    exit 0
    ;;
  closed)
    tell notice "#$NUMBER was closed; its state was not moved. To go on, reopen it and set its label again."
    exit 0
    ;;
  *) lost ;;
esac

# stuck WHAT TODO: ends a run that did not do its work.
stuck() {
  stop_item "$NUMBER" "$1" "$2"
  exit 0
}
look="Open the run and read the first failed job."
if [ "$ACTIVATION" != success ]; then stuck "The run failed before its agent started ($ACTIVATION)." "$look Often a secret is missing."; fi
if [ "$AGENT" != success ]; then stuck "The agent did not finish its work ($AGENT)." "$look"; fi
if [ "$DETECTION" != success ]; then stuck "Threat detection stopped the outputs ($DETECTION)." "$look Judge what it found."; fi
if [ "$GATE" != true ]; then stuck "The last look at the item before writing did not allow it, so nothing was written." "Open the run and read its warnings."; fi
if [ "$OUTPUTS" != success ]; then stuck "The outputs were not applied, or only in part ($OUTPUTS)." "$look Check what is on the item."; fi
if [ -n "$left" ]; then stuck "The verdict could not be taken off again." "Remove the label $left, which would count for the next review."; fi

# own COMMIT: whether a commit, as the API gave it, has a message of the pipeline's form.
own() { jq -e --arg own "$BOT_COMMIT" '.commit.message | split("\n")[0] // "" | test($own)' <<<"$1" >/dev/null; }
# opened: a run that opens a pull request has opened one.
opened() { if [[ ! $CREATED =~ ^[1-9][0-9]{0,9}$ ]]; then stuck "No pull request was opened." "$look"; fi; }
# written: a run that writes a comment has written one.
written() { if [[ ! $COMMENT =~ ^[1-9][0-9]{0,18}$ ]]; then stuck "No comment was written." "$look"; fi; }
from="This pull request comes from #$NUMBER."
case $MODE in
  entry)
    opened
    if ! label "$CREATED" "$MARK"; then
      stuck "The new pull request #$CREATED could not be labelled $MARK." "Set $MARK there, then $NEXT."
    fi
    arrive "$CREATED" "$from"
    NUMBER=$CREATED
    ;;
  document)
    opened
    from+=" A person reads it and merges it; nothing merges it by itself."
    if [ -n "$NEXT_LABEL" ]; then from+=" After that, the label \`$NEXT_LABEL\` on an issue starts what comes next."; fi
    arrive "$CREATED" "$from"
    start_checks "$CREATED"
    tell notice "#$CREATED was opened for #$NUMBER. A person reads it and merges it."
    exit 0
    ;;
  report)
    written
    tell notice "#$NUMBER has its report."
    exit 0
    ;;
  party)
    written
    if ! said=$(api "$repo/issues/comments/$COMMENT"); then stuck "The comment with the votes could not be read again." "Read it and decide."; fi
    read -r how pro all <<<"$(consensus "$said")"
    decide="Read the discussion and decide, or say what is missing and start it again."
    if [ "$how" != yes ]; then unlabel "$NUMBER" "$CONSENSUS" || tell warning "Could not remove the label $CONSENSUS from #$NUMBER. Remove it by hand."; fi
    case $how in
      yes)
        if ! label "$NUMBER" "$CONSENSUS"; then stuck "There is consensus, but the label $CONSENSUS could not be set." "Set it by hand."; fi
        tell notice "#$NUMBER: consensus, with $pro of $all votes."
        ;;
      short) stuck "There is no consensus: $pro of $all votes are for it, and two thirds are needed." "$decide" ;;
      block) stuck "There is no consensus: somebody blocks it ($pro of $all votes are for it)." "$decide" ;;
      few) stuck "There is no consensus: fewer than two roles voted." "$decide" ;;
      undecided) stuck "The votes agree, but no decision is written down." "$decide" ;;
      *) stuck "The discussion left no votes in the form that can be counted." "$decide" ;;
    esac
    exit 0
    ;;
  push)
    if [[ ! $SHA =~ ^[0-9a-f]{40}$ ]] || [ "${PUSH_FAILURES:-0}" != 0 ]; then stuck "Nothing was pushed." "$look"; fi
    if ! commit=$(api "$repo/commits/$SHA"); then stuck "The pushed commit $SHA is not there." "$look"; fi
    if ! own "$commit"; then
      tell warning "The message of the pushed commit is not of the pipeline's form, so the push may count as a person's. Nothing to do."
    fi
    ;;
  verdict)
    judge="Read the review, then leave the one state label that it calls for."
    case $(jq -r 'if length == 1 then .[0] else "\(length)" end' <<<"$given") in
      0) stuck "The review ended without a verdict." "$judge" ;;
      unknown) stuck "A verdict label is on that does not exist." "Remove it. $judge" ;;
      [0-9]*) stuck "The review set more than one verdict." "$judge" ;;
    esac
    NEXT=$(jq -r --argjson to "$VERDICTS" '$to[.[0]]' <<<"$given")
    # With a credential, notes whose message is not the pipeline's would start the review again, without end.
    if [ -n "$SHA" ] && [ "$WAKING" = credential ] &&
      ! { [[ $SHA =~ ^[0-9a-f]{40}$ ]] && commit=$(api "$repo/commits/$SHA") && own "$commit"; }; then
      stuck "The review pushed notes whose message is not of the pipeline's form." "$judge"
    fi
    if [ "$NEXT" = "$APPROVED" ] && has "$item" "$UNVALIDATED" && ! unlabel "$NUMBER" "$UNVALIDATED"; then
      tell warning "Could not remove the label $UNVALIDATED from #$NUMBER, which is validated now. Remove it by hand."
    fi
    ;;
esac

# A person who approved it while the agent worked has decided.
if [ -n "$FROM" ] && [ "$NEXT" != "$APPROVED" ] && has "$item" "$APPROVED" && ! has "$item" "$FROM"; then
  tell notice "#$NUMBER was approved by a person meanwhile; its state was not moved. To go on, set a state label."
  exit 0
fi

# What is implemented next is pushed to again, so only what is read next is checked; a verdict may have notes.
if [ "$MODE" != verdict ] || { [ "$NEXT" = "$APPROVED" ] && [ -n "$SHA" ]; }; then start_checks "$NUMBER"; fi
# The old state is one word or empty: split on purpose.
# shellcheck disable=SC2086
if ! wake "$NUMBER" "$NEXT" $FROM "$SWEPT"; then
  stuck "#$NUMBER could not be moved to $NEXT, or the next workflow could not be woken." "Check the token and its permissions."
fi
tell notice "#$NUMBER is now in state $NEXT."
exit 0
