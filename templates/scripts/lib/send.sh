# uses: api
# send METHOD PATH JSON: one write.
payload=$(mktemp)
send() {
  printf '%s' "$3" >"$payload"
  api -X "$1" "$repo/$2" --input "$payload" >/dev/null
}
