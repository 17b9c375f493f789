# uses: comment tell
# say TEXT: on the item, where the person looks, and in the run.
say() {
  tell notice "#$NUMBER: $1"
  comment "$NUMBER" "$1" || tell warning "Could not comment on #$NUMBER."
}
