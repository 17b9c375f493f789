# consumer STATE: the workflow file that takes a state up, empty where the loop has ended.
consumer() { jq -r --arg state "$1" '.[$state] // ""' <<<"$CONSUMERS"; }
