# has ITEM LABEL: whether an item, as the API gave it, carries a label.
has() { jq -e --arg name "$2" 'any(.labels[]; .name == $name)' <<<"$1" >/dev/null; }
