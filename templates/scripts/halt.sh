# uses: comment stop_item tell unlabel
# Says on the item what the guard decided. Runs only when the guard asked for it, or a stranger set a label.
case $CODE in
  stranger)
    REASON="It is not known that whoever set the label has write access. Work here costs money and changes the repository, so nothing was started. Somebody with write access may set the label again."
    ;;&
  stranger | mistake)
    # The words are ours; should anything else have come in, it can neither link nor call anybody.
    comment "$NUMBER" "**Nothing was started.** ${REASON//[[:cntrl:]@<\[]/ }

[The run]($GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID)" || tell error "Could not comment on #$NUMBER. $REASON"
    # Setting the label once more must raise an event again.
    for name in $TRIGGERS; do
      if [ "${LABEL,,}" = "$name" ] && ! unlabel "$NUMBER" "$name"; then
        tell warning "Could not remove the label $name from #$NUMBER. Remove it by hand before you set it again."
      fi
    done
    tell notice "Nothing was started on #$NUMBER. $REASON"
    exit 0
    ;;
  config)
    todo="Correct the settings file on the default branch."
    # The file is not at fault when GitHub is.
    if [[ $REASON = *"GitHub did not answer." ]]; then todo="Wait until GitHub answers again."; fi
    ;;
  cycles) todo="Read the last review and decide what is to be done." ;;
  conflict) todo="Leave exactly one state label on." ;;
  branch) todo="Rename the branch." ;;
  *) todo="Wait until GitHub answers again." ;;
esac
# The reason may quote the settings file: as code it can neither link nor call anybody.
stop_item "$NUMBER" "\`${REASON//[\`[:cntrl:]]/ }\`" "$todo"
exit 0
