# has ITEM LABEL: whether an item, as the API gave it, carries a label.
has() { jq -e --arg label "$2" 'any(.labels[]; .name == $label)' <<<"$1" >/dev/null; }
