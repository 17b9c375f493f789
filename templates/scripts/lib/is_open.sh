# is_open ITEM
is_open() { [ "$(jq -r .state <<<"$1")" = open ]; }
