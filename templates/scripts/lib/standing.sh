# standing ITEM: stopped, open or closed; anything else is an answer that cannot be relied on.
standing() {
  jq -r --arg breaker "$BREAKER" 'if any(.labels[]; .name | ascii_downcase == $breaker) then "stopped" else .state end' <<<"$1"
}
