# Hands the project's settings to the agent as a file that it may read.
mkdir -p "$(dirname "$FILE")"
printf '%s\n' "${SETTINGS:-{\}}" >"$FILE"
