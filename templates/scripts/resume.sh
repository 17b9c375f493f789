# uses: api go_on label may_write release say standing tell
# Goes on after a person took the breaker off, or asked for it with /resume.
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
if [ "$MODE" = unlabeled ]; then
  go_on "$item"
elif [ "$(standing "$item")" = stopped ]; then
  release "$item"
else
  say "Nothing to resume: the label $BREAKER is not on this item."
fi
exit 0
