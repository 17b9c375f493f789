# uses: api out
# Reads the project's settings from the default branch: a pull request cannot change the rules it is built by.
# A missing file is fine. A wrong one stops the work before it starts, with the line and the reason.
error='' settings='{}'
text=$(api "$repo/contents/$CONFIG_PATH" -H 'Accept: application/vnd.github.raw+json')
case $? in
  0)
    answer=$(printf '%s' "$text" | jq -Rsc --argjson rules "$RULES" --argjson limit "$LIMIT" '
def trim: sub("^[ \t]+"; "") | sub("[ \t\r]+$"; "");
def scalar:
  if test("^\"([^\"\\\\]|\\\\[\"\\\\/bfnrt])*\"[ \t]*(#.*)?$") then {text: (capture("^(?<q>\"([^\"\\\\]|\\\\.)*\")").q | fromjson)}
  elif test("^\u0027([^\u0027]|\u0027\u0027)*\u0027[ \t]*(#.*)?$") then
    {text: (capture("^\u0027(?<q>([^\u0027]|\u0027\u0027)*)\u0027").q | gsub("\u0027\u0027"; "\u0027"))}
  elif test("^[^\\[\\]{}&*!|>\u0027\"%@`,?:#-]") and (test(": |:$") | not) then {plain: (sub("[ \t]+#.*$"; "") | trim)}
  elif test("^-[0-9.]") then {plain: (sub("[ \t]+#.*$"; "") | trim)}
  else {bad: "must be a single value"} end;
# What is found ends in a comment: letters, digits and a few signs can neither link nor call anybody.
def harmless: .[:40] | gsub("[^A-Za-z0-9 .+_-]"; "?");
def number: if test("^-?[0-9]+(\\.[0-9]+)?$") then tonumber else null end;
def check($key; $v):
  $rules[$key] as $r | ($v.text // $v.plain) as $shown | ($r.error | sub("\\{value\\}"; $shown | harmless)) as $error
  | if $r.kind == "text" then
      if ($shown | length) > 0 and ($shown | length) <= 100 and ($shown | test("[\n\r]") | not)
        and ($v.text or (($shown | number) == null and ($shown | test("^(true|false|null|~)$"; "i") | not)))
      then {value: $shown} else {$error} end
    elif $r.kind == "choice" then if any($r.choices[]; . == $shown) then {value: $shown} else {$error} end
    else (if $v.plain then $v.plain | number else null end) as $n
      | if $n != null and $n >= $r.low and $n <= $r.high and ($r.kind == "number" or ($v.plain | test("\\.") | not))
        then {value: $n} else {$error} end
    end;
if (utf8bytelength > $limit) then {error: "is larger than \($limit) bytes"}
else
  reduce (split("\n") | to_entries[]) as $line ({settings: {}, error: null};
    ($line.value | sub("^\ufeff"; "") | sub("[ \t\r]+$"; "")) as $t
    | ("line \($line.key + 1): ") as $at
    | if .error or ($t | test("^[ \t]*(#.*)?$")) or ($t | test("^(---|\\.\\.\\.)$")) then .
      elif $t | test("^[a-z_]+:([ \t]|$)") | not then .error = $at + "expected one setting such as language: TypeScript"
      else ($t | capture("^(?<key>[a-z_]+):(?<rest>.*)$")) as $c | ($c.rest | trim) as $rest
        | if $rules | has($c.key) | not then .error = $at + "unknown setting \($c.key | harmless); known: \($rules | keys_unsorted | join(", "))"
          elif .settings | has($c.key) then .error = $at + "\($c.key) is set twice"
          elif $rest == "" or ($rest | startswith("#")) then .error = $at + "\($c.key) has no value"
          else ($rest | scalar) as $v
            | if $v.bad then .error = $at + "\($c.key) " + $v.bad
              else check($c.key; $v) as $r
                | if $r.error then .error = $at + $r.error else .settings[$c.key] = $r.value end
              end
          end
      end)
end') || answer='{"error":"could not be understood"}'
    error=$(jq -r '.error // ""' <<<"$answer")
    if [ -n "$error" ]; then error="$CONFIG_PATH: ${error:0:300}"; else settings=$(jq -c .settings <<<"$answer"); fi
    ;;
  4) ;;
  *) error="$CONFIG_PATH could not be read: GitHub did not answer." ;;
esac
out error "$error"
out settings "$settings"
exit 0
