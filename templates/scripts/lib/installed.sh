# uses: api
# installed FILE: whether a workflow is there; when GitHub does not say, it is taken to be.
installed() { api "$repo/actions/workflows/$1" >/dev/null || [ $? != 4 ]; }
