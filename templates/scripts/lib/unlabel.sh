# uses: api
# unlabel NUMBER NAME: takes one label off; fine if it is not there.
unlabel() { api -X DELETE "$repo/issues/$1/labels/$2" >/dev/null || [ $? = 4 ]; }
