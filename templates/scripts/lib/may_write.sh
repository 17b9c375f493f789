# uses: api
# may_write LOGIN: whether somebody may start work here; no if GitHub does not say.
may_write() {
  local answer
  [[ $1 =~ ^[A-Za-z0-9_-]+$ ]] && answer=$(api "$repo/collaborators/$1/permission") &&
    jq -e '.permission | IN("admin", "maintain", "write")' <<<"$answer" >/dev/null
}
