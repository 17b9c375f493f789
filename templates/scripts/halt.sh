# uses: stop_item
# Says on the item what the guard decided. Runs only when the guard asked for it.
case $CODE in
  config) todo="Correct the settings file on the default branch." ;;
  cycles) todo="Read the last review and decide what is to be done." ;;
  conflict) todo="Leave exactly one state label on." ;;
  branch) todo="Rename the branch." ;;
  *) todo="Wait until GitHub answers again." ;;
esac
# The reason may quote the settings file: as code it can neither link nor call anybody.
stop_item "$NUMBER" "\`${REASON//[\`[:cntrl:]]/ }\`" "$todo"
exit 0
