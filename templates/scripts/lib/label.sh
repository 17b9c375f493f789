# uses: send
# label NUMBER NAME: sets one label.
label() { send POST "issues/$1/labels" "$(jq -nc --arg name "$2" '{labels: [$name]}')"; }
