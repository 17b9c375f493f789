# has ITEM LABEL: whether an item, as the API gave it, carries a label, in any case.
has() { jq -e --arg name "$2" 'any(.labels[]; .name | ascii_downcase == $name)' <<<"$1" >/dev/null; }
