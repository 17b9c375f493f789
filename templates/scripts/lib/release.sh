# uses: go_on tell unlabel
# release ITEM: takes the breaker off, and goes on. The cycles count from here.
release() {
  if unlabel "$NUMBER" "$BREAKER"; then
    go_on "$1"
  else
    tell error "Could not remove the label $BREAKER from #$NUMBER. Remove it by hand."
  fi
}
