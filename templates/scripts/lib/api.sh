# api ARGS...: the answer of one call. 0: done, 4: not there, 1: refused or unreachable after all tries.
# A runner starts bash with -e; here each failure is looked at instead.
set +e -uo pipefail
repo="repos/$GITHUB_REPOSITORY"
problem=$(mktemp)
api() {
  local try=1 answer
  until answer=$(gh api "$@" 2>"$problem"); do
    if grep -Eq 'HTTP (404|410)' "$problem"; then return 4; fi
    if [ "$try" -ge "$TRIES" ]; then return 1; fi
    sleep "$((try * PAUSE))"
    try=$((try + 1))
  done
  printf '%s\n' "$answer"
}
