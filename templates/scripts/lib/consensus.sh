# consensus COMMENT: how the vote went that a comment, as the API gave it, ends with. One word and two numbers:
# yes, short, block, few, undecided or form; how many were for it; how many voted.
consensus() {
  jq -r '
def fence($line): $line | test("^ {0,3}`{3,}[ \t\r]*$");
(.body | strings // "" | split("\n")) as $lines
| reduce range($lines | length) as $i ({};
    $lines[$i] as $line
    | if .at == null then
        if $line | test("^ {0,3}`{3,}json[ \t\r]*$"; "i") then {at: $i, json: true, last}
        elif $line | test("^ {0,3}`{3}") then {at: $i, last} else . end
      elif fence($line) then {last: (if .json then [.at + 1, $i] else .last end)} else . end)
| (.last // [0, 0]) as [$from, $to]
| ($lines[$from:$to] | join("\n") | try fromjson catch null)
| if type == "object" and (.votes | type) == "array" and (.decisions | type) == "array"
    and all(.votes[]; type == "object" and (.role | type == "string" and test("[^ ]")) and (.vote | IN("for", "against", "block")))
    and all(.decisions[]; type == "string" and test("[^ \n]"))
    # A role has one voice.
    and ([.votes[].role | ascii_downcase | gsub("^ +| +$"; "")] | length == (unique | length))
  then
    (.votes | length) as $all | ([.votes[] | select(.vote == "for")] | length) as $for
    | (if $all < 2 then "few" elif any(.votes[]; .vote == "block") then "block" elif $for * 3 < $all * 2 then "short"
      elif .decisions == [] then "undecided" else "yes" end) + " \($for) \($all)"
  else "form 0 0" end' <<<"$1" || printf 'form 0 0\n'
}
