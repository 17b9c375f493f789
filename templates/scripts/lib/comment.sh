# uses: send
# comment NUMBER TEXT
comment() { send POST "issues/$1/comments" "$(jq -nc --arg body "$2" '{body: $body}')"; }
