# uses: api comment has standing tell unlabel wake
# Goes on after a person took the breaker off, or asked for it with /resume. The cycles count from here.
# say TEXT: on the item, where the person looks, and in the run.
say() {
  tell notice "#$NUMBER: $1"
  comment "$NUMBER" "$1" || tell warning "Could not comment on #$NUMBER."
}
if ! item=$(api "$repo/issues/$NUMBER"); then
  tell error "Could not read #$NUMBER. Try again: remove the label $BREAKER, or comment /resume."
  exit 0
fi
if [ "$MODE" = command ]; then
  if [[ ! $ACTOR =~ ^[A-Za-z0-9-]+$ ]] || ! answer=$(api "$repo/collaborators/$ACTOR/permission"); then
    tell warning "Could not find out whether the commenter may resume #$NUMBER. Nothing was done."
    exit 0
  fi
  case $(jq -r .permission <<<"$answer") in
    admin | maintain | write) ;;
    *)
      tell warning "Only people with write access may resume #$NUMBER. Nothing was done."
      exit 0
      ;;
  esac
  if [ "$(standing "$item")" != stopped ]; then
    say "Nothing to resume: the label $BREAKER is not on this item."
    exit 0
  fi
  if ! unlabel "$NUMBER" "$BREAKER"; then
    tell error "Could not remove the label $BREAKER from #$NUMBER. Remove it by hand."
    exit 0
  fi
elif [ "$(standing "$item")" = stopped ]; then
  tell notice "#$NUMBER was stopped again. Nothing to do."
  exit 0
fi
if [ "$(jq -r .state <<<"$item")" != open ]; then
  tell notice "#$NUMBER is closed. To go on, reopen it and set its label again."
  exit 0
fi
if ! jq -e .pull_request <<<"$item" >/dev/null; then
  say "Released. To go on, add the label that starts the work again: $TRIGGERS."
  exit 0
fi
if ! has "$item" "$MARK"; then
  tell notice "#$NUMBER is not in the pipeline. To take it in, add the label $MARK and a state label."
  exit 0
fi
state='' count=0
for name in $STATES; do
  if has "$item" "$name"; then state=$name count=$((count + 1)); fi
done
if [ "$count" != 1 ]; then
  say "Released, but $count state labels are on. Take off what is on, then add exactly one of: $STATES."
  exit 0
fi
if ! wake "$NUMBER" "$state" "$SWEPT"; then
  tell error "Could not wake the workflow for state $state of #$NUMBER. Remove the label $state and add it again."
  exit 0
fi
tell notice "#$NUMBER goes on in state $state."
exit 0
